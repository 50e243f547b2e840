// Writes the help of each command as a page: the output of `seam COMMAND --help`, with
// headings for search results.

import { seam } from './seam.mjs';

/**
 * Returns the commands listed by `seam --help`: name, address and a sentence. The addresses
 * are named like manual pages, because `seam index` takes search.html for a search page.
 */
export function commands() {
  const lines = seam('--help').split('\n');
  const list = lines.slice(lines.indexOf('Commands:') + 1, lines.findLastIndex((line) => line.startsWith('Run "seam')));
  const found = [];
  for (const line of list) {
    const [, name, text] = /^ {2}(\S[^ ]*(?: [a-z]+)?) {2,}(\S.*)$/.exec(line) ?? [];
    if (name) found.push({ name, slug: `seam-${name.replace(' ', '-')}`, summary: text });
    else if (line.trim()) found.at(-1).summary += ` ${line.trim()}`;
  }
  if (!found.length) throw new Error('seam --help lists no commands');
  return found;
}

/** Returns the page of a command in Markdown. */
export function pageOf({ name, summary }) {
  const lines = seam(...name.split(' '), '--help').split('\n');
  const parts = cut(lines);
  return [
    `# seam ${name}`, escaped(summary), code([parts.usage.replace(/^Usage: /, '')]),
    ...prose(parts.prose),
    ...parts.arguments.length ? ['## Arguments', ...entries(parts.arguments).map(argument)] : [],
    ...groups(parts.flags).flatMap(([title, list]) => list.length ? [`## ${title}`, ...list.map(option)] : []),
  ].join('\n\n');
}

/** Splits a help text into usage, the sentences and examples after the summary, and lists. */
function cut(lines) {
  const [, usage] = /^(Usage: .*)$/.exec(lines[0]) ?? [];
  const flags = lines.indexOf('Flags:');
  if (!usage || flags < 0) throw new Error(`this is no help: ${lines[0]}`);
  const args = lines.indexOf('Arguments:');
  const begin = lines.indexOf('', 2) + 1; // after the summary
  return { usage, prose: lines.slice(begin, args < 0 ? flags : args), arguments: args < 0 ? [] : lines.slice(args + 1, flags), flags: lines.slice(flags + 1) };
}

/** Returns paragraphs, and examples, which are indented. */
function prose(lines) {
  const out = [];
  for (const block of lines.join('\n').split(/\n{2,}/).filter((b) => b.trim())) {
    const own = block.split('\n').filter(Boolean);
    if (/^Examples?:$/.test(own[0])) out.push('## Examples');
    else if (own.every((line) => line.startsWith('    '))) out.push(code(own.map((line) => line.slice(4))));
    else out.push(escaped(own.join(' ')));
  }
  return out;
}

/** Returns the options by titled group. Those without a group come first. */
function groups(lines) {
  const out = [['Options', []]];
  for (const line of lines) {
    if (/^\S.*:$/.test(line)) out.push([line.slice(0, -1), []]);
    else out.at(-1)[1].push(line);
  }
  return out.map(([title, list]) => [title, entries(list).filter((e) => !/--(help|version)\b/.test(e.name))]);
}

/** Returns the entries of a list: the name at the left, and its description. */
function entries(lines) {
  const out = [];
  for (const line of lines) {
    const [, name, text] = /^ {2,6}(<.+?>(?: \.\.\.)?|\[.+?\](?: \.\.\.)?|-.*?)(?: {2,}(\S.*))?$/.exec(line.replace(/^ {6}(?=--)/, '  ')) ?? [];
    if (name) out.push({ name, text: text ?? '' });
    else if (line.trim() && out.length) out.at(-1).text += ` ${line.trim()}`;
  }
  return out;
}

const argument = ({ name, text }) => `- \`${name}\`: ${escaped(text)}`;

const option = ({ name, text }) => `### \`${name}\` {#${(/--(?:\[no-\])?([\w-]+)/.exec(name) ?? fail(name))[1]}}\n\n${escaped(text.trim())}`;

function fail(name) { throw new Error(`this is no option: ${name}`); }

function code(lines) {
  const language = /^[<{]/.test(lines[0]) ? (lines[0][0] === '<' ? 'html' : 'json') : 'sh';
  return `\`\`\`${language}\n${lines.join('\n')}\n\`\`\``;
}

const marks = { '<': '&lt;', '>': '&gt;', '{': '&#123;', '}': '&#125;', '*': '&#42;', '_': '&#95;', '|': '&#124;', '[': '&#91;' };

/** Escapes text so that only code between backticks is markup. */
function escaped(text) {
  return text.split(/(`[^`]+`)/).map((part, i) => i % 2 ? part : part.replace(/[<>{}*_|[]/g, (c) => marks[c])).join('');
}
