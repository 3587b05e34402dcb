/** The command `adtrail doctor`: what the service finds, for people. */
import type { Finding } from '../doctor/findings';
import { askService, withAdminToken } from '../lib/ask-service';
import type { AdminTarget } from './target';

const SIGNS = { ok: 'ok      ', warning: 'WARNING ', critical: 'CRITICAL' } as const;

/** The findings, a line for each and one for what to do; and whether any is critical. */
export async function askDoctor({ service, adminToken }: AdminTarget): Promise<{ text: string; isCritical: boolean }> {
  const headers = withAdminToken(adminToken);
  const { findings } = await askService<{ findings: Finding[] }>(service, '/admin/v1/doctor', { headers });
  const lines = findings.flatMap(({ about, state, says, advice }) => [
    `${SIGNS[state]} ${about}: ${says}`,
    ...(advice === '' ? [] : [`         ${advice}`]),
  ]);
  return { text: lines.join('\n'), isCritical: findings.some(({ state }) => state === 'critical') };
}
