/** A server that takes webhooks and checks their signatures, to paste. */
export const VERIFY = `import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET); // whsec_...

createServer(async (request, response) => {
  const body = await text(request); // exactly as it came
  try {
    const { type, data } = webhook.verify(body, request.headers);
    console.log(type, data);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end(); // not ours
  }
}).listen(3000);`;
