// Counts the tokens of texts with the tokenizers of other models, for counts.json:
//   TEXTS=texts.json go test -run TestRealTokenizers .
//   npm install gpt-tokenizer llama-tokenizer-js llama3-tokenizer-js mistral-tokenizer-js @anthropic-ai/tokenizer
//   node count.mjs texts.json > counts.json
import { readFileSync } from 'node:fs';
import { countTokens } from '@anthropic-ai/tokenizer';
import * as o200k from 'gpt-tokenizer/encoding/o200k_base';
import * as p50k from 'gpt-tokenizer/encoding/p50k_base';
import llama from 'llama-tokenizer-js';
import llama3 from 'llama3-tokenizer-js';
import mistral from 'mistral-tokenizer-js';

const tokenizers = {
  o200k: (t) => o200k.encode(t).length,
  p50k: (t) => p50k.encode(t).length,
  llama: (t) => llama.encode(t).length,
  llama3: (t) => llama3.encode(t).length,
  mistral: (t) => mistral.encode(t).length,
  claude: countTokens,
};
const texts = JSON.parse(readFileSync(process.argv[2]));
const rows = Object.entries(texts).map(([name, { sum, text }]) =>
  `${JSON.stringify(name)}: ${JSON.stringify({ sum, ...Object.fromEntries(Object.entries(tokenizers).map(([of, count]) => [of, count(text)])) })}`);
console.log(`{\n${rows.join(',\n')}\n}`);
