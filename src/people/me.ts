/** What a page has to know of the person who looks at it. */
import type { Queryable } from '../db/postgres';
import { permissionsIn, roleIn, type Person } from '../http/permissions';
import * as queries from './queries';

/** The person, the places, and what may be done in each. */
export async function describeMe(db: Queryable, person: Person) {
  const [user] = await queries.findUser(db, person.id);
  const places = await queries.readPlaces(
    db,
    [...person.accounts.keys()],
    [...person.partners.keys()],
    person.operator,
  );
  const kind = (wanted: queries.PlaceRow['kind']) => places.filter((place) => place.kind === wanted);
  const inPlace = (place: { account: number } | { partner: number }) => ({
    role: roleIn(person, place),
    permissions: permissionsIn(person, place),
  });
  return {
    user: {
      id: person.id,
      email: user?.email ?? person.email,
      name: user?.name ?? person.name,
      second_factor: user !== undefined && user.totp_secret !== null,
      password: user !== undefined && user.password !== null,
    },
    operator: person.operator,
    permissions: permissionsIn(person, 'installation'),
    accounts: kind('account').map(({ id, name }) => ({ id, name, ...inPlace({ account: id }) })),
    partners: kind('partner').map(({ id, name }) => ({ id, name, ...inPlace({ partner: id }) })),
    projects: kind('project').map(({ id, name, account_id, currency, timezone, target_roas, locale }) => ({
      id,
      name,
      account_id,
      currency,
      timezone,
      target_roas,
      locale,
      permissions: permissionsIn(person, { account: account_id }),
    })),
  };
}
