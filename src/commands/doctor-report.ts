/** The command `adtrail doctor`: what the service finds, for people. */
import type { Finding } from '../doctor/findings';
import { StartError } from '../errors';
import type { AdminTarget } from './target';

const SIGNS = { ok: 'ok      ', warning: 'WARNING ', critical: 'CRITICAL' } as const;

/** The findings, a line for each and one for what to do; and whether any is critical. */
export async function askDoctor({ service, adminToken }: AdminTarget): Promise<{ text: string; isCritical: boolean }> {
  const headers = { Authorization: `Bearer ${adminToken}` };
  const response = await fetch(`${service}/admin/v1/doctor`, { headers }).catch((error: Error) => {
    throw new StartError(`No service answers at ${service}: ${error.message}. Start it; its log says what is wrong.`);
  });
  const answer = (await response.json()) as { findings?: Finding[]; msg?: string };
  if (!answer.findings) throw new StartError(answer.msg ?? `The service answered ${response.status}`);
  const lines = answer.findings.flatMap(({ about, state, says, advice }) => [
    `${SIGNS[state]} ${about}: ${says}`,
    ...(advice === '' ? [] : [`         ${advice}`]),
  ]);
  return { text: lines.join('\n'), isCritical: answer.findings.some(({ state }) => state === 'critical') };
}
