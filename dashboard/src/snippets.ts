/** What to paste where there is nothing yet. */
import { curlCall } from './shell';

export const buildSnippet = (source: 'app' | 'web'): string =>
  source === 'web'
    ? `<script defer src="${window.location.origin}/adtrail.js" data-key="YOUR_WEB_KEY"></script>`
    : curlCall(`${window.location.origin}/collect/v1/app`, {
        headers: ['app-key: YOUR_APP_KEY', 'Content-Type: application/json'],
        body: '{"events": [{"event_id": "1", "type": "install", "install_id": "test-1", ...}]}',
      });
