/** What to paste where there is nothing yet. */
export const snippetOf = (source: 'app' | 'web'): string =>
  source === 'web'
    ? `<script defer src="${window.location.origin}/adtrail.js" data-key="YOUR_WEB_KEY"></script>`
    : [
        `curl '${window.location.origin}/collect/v1/app' \\`,
        `  -H 'app-key: YOUR_APP_KEY' -H 'Content-Type: application/json' \\`,
        `  -d '{"events": [{"event_id": "1", "type": "install", "install_id": "test-1", ...}]}'`,
      ].join('\n');
