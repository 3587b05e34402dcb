/** What the page says: plain HTML, for it is opened from a mail, on any device (pure). */
import { escapeHtml } from '../lib/html';

const frame = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title}</title></head>
<body><main><h1>${title}</h1>
${body}
</main></body>
</html>
`;

export const askPage = (name: string, address: string) =>
  frame(
    'Unsubscribe',
    `<p>Stop sending “${escapeHtml(name)}” to ${escapeHtml(address)}?</p>
<form method="post"><button type="submit">Unsubscribe</button></form>`,
  );

export const donePage = (name: string, address: string) =>
  frame('Unsubscribed', `<p>“${escapeHtml(name)}” is not sent to ${escapeHtml(address)} any more.</p>`);

export const gonePage = () => frame('Nothing to unsubscribe from', '<p>This link does not work, or not any more.</p>');
