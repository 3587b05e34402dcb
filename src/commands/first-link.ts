/** `adtrail first-link`, and what `make run` and `make demo` say of the pages: how the first person gets in. */
import { StartError } from '../errors';
import type { AdminTarget } from './target';

/**
 * A link that makes an operator, once, within a day; undefined where `unlessThereIs` and somebody operates the
 * installation already.
 */
export async function firstLink(
  { service, adminToken }: AdminTarget,
  unlessThereIs = false,
): Promise<string | undefined> {
  const response = await fetch(`${service}/auth/v1/first-link${unlessThereIs ? '?unless_there_is=true' : ''}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminToken}` },
  }).catch((error: Error) => {
    throw new StartError(`No service answers at ${service}: ${error.message}`);
  });
  if (response.status === 409 && unlessThereIs) return undefined;
  const { link, msg } = (await response.json()) as { link?: string; msg?: string };
  if (!link) throw new StartError(msg ?? `The service answered ${response.status}`);
  return link;
}

/** Where the pages are, for who has just started the service. */
export async function describePages(target: AdminTarget): Promise<string> {
  const link = await firstLink(target, true);
  return link === undefined
    ? `Open the dashboard: ${target.service}/`
    : `Open the dashboard by this link, which signs you in once and asks for your name and a password:\n\n  ${link}`;
}
