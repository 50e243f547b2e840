// A reporter of the test runner: the failures, one a line, as JSON with file and name.

export default async function* failures(events) {
  for await (const { type, data } of events) if (type === 'test:fail') yield `${JSON.stringify({ file: data.file, name: data.name })}\n`;
}
