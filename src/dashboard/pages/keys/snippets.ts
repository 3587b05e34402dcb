/** First requests to paste, for each kind of key. */
import type { KeyKind } from '../../api/admin';

export function snippetOf(kind: KeyKind, key: string): string {
  const { origin } = window.location;
  if (kind === 'web_key') return `<script defer src="${origin}/adtrail.js" data-key="${key}"></script>`;
  if (kind === 'server_key') return `curl '${origin}/api/v1/campaigns' \\\n  -H 'service-key: ${key}'`;
  const time = new Date().toISOString().slice(0, 19);
  const event = {
    event_id: 'test-1',
    type: 'install',
    time: `${time}Z`,
    app_id: 'com.example.shop',
    install_id: 'test-install-1',
  };
  return [
    `curl '${origin}/collect/v1/app' \\`,
    `  -H 'app-key: ${key}' -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify({ events: [event] })}'`,
  ].join('\n');
}
