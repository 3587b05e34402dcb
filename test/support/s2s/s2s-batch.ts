/** Requests as records of a batch. */
import { ENDPOINTS, PATHS, type Endpoint } from './s2s-client';
import type { ModelRequest } from './s2s-model';

export const KIND_OF = { click: 'click', impression: 'impression', ctv: 'ctv_impression' } as const satisfies Record<
  (typeof ENDPOINTS)[number],
  string
>;

/** What a request sends by name: of a repeated name the first, the app of the path where no other is sent. */
function listParameters({ pathApp, pairs }: ModelRequest): [string, string][] {
  const sent = new Map<string, string>();
  for (const [name, value] of pairs) if (!sent.has(name)) sent.set(name, value);
  sent.delete('svc_token');
  if (pathApp && !sent.get('app_id')) sent.set('app_id', pathApp);
  return [...sent];
}

/** A request without its token, as a GET and as the JSON of a record. Digits are numbers now and then. */
export function recordText(request: ModelRequest): { target: string; text: string } {
  const parameters = listParameters(request);
  const values = parameters.map(([name, value]) => {
    const isNumber = /^[1-9]\d{0,20}$/.test(value) && value.length % 2 === 1;
    return `${JSON.stringify(name)}:${isNumber ? value : JSON.stringify(value)}`;
  });
  const path = PATHS[request.endpoint satisfies Endpoint];
  return {
    target: `${path}?${new URLSearchParams(parameters).toString()}`,
    text: `{"kind":"${KIND_OF[request.endpoint]}"${values.map((one) => `,${one}`).join('')}}`,
  };
}
