/** First requests to paste, for each kind of key. */
import type { KeyKind } from '../../api/admin';
import { curlCall } from '../../shell';

export function buildSnippet(kind: KeyKind, key: string): string {
  const { origin } = window.location;
  if (kind === 'web_key') return `<script defer src="${origin}/adtrail.js" data-key="${key}"></script>`;
  if (kind === 'server_key') return curlCall(`${origin}/api/v1/campaigns`, { headers: [`service-key: ${key}`] });
  const time = new Date().toISOString().slice(0, 19);
  const event = {
    event_id: 'test-1',
    type: 'install',
    time: `${time}Z`,
    app_id: 'com.example.shop',
    install_id: 'test-install-1',
  };
  return curlCall(`${origin}/collect/v1/app`, {
    headers: [`app-key: ${key}`, 'Content-Type: application/json'],
    body: JSON.stringify({ events: [event] }),
  });
}
