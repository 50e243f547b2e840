// 100 chats and 100 lists of texts at a time, with the official SDK and its defaults.
import OpenAI from 'openai';

const [baseURL, apiKey] = process.argv.slice(2);
const client = new OpenAI({ baseURL, apiKey });
const calls = [];
for (let i = 0; i < 100; i++) {
  calls.push(client.chat.completions.create({ model: 'c', messages: [{ role: 'user', content: `question ${i}` }] }));
  calls.push(client.embeddings.create({ model: 'e', input: [`text ${i}`] }));
}
let good = 0;
for (const reply of await Promise.allSettled(calls)) {
  if (reply.status === 'fulfilled') good++;
  else console.error(String(reply.reason));
}
console.log(good);
