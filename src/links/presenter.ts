/** The documents by which iOS and Android trust a domain to open an app, from the apps of its project. */
import type { App } from '../configuration/config-snapshot';

const opensOnIos = ({ platform, teamId, bundleId }: App) => platform === 'IOS' && Boolean(teamId && bundleId);
const opensOnAndroid = ({ platform, certFingerprints }: App) => platform === 'ANDROID' && certFingerprints.length > 0;

/** The apps that a link opens where they are installed, by platform. */
export const appsOpened = (apps: readonly App[]) => ({
  ios: apps.filter(opensOnIos).map(({ appId }) => appId),
  android: apps.filter(opensOnAndroid).map(({ appId }) => appId),
  desktop: [],
});

/** Apple's universal links: every path of the domain opens the apps that have a team and a bundle. */
export function appleAppSiteAssociation(apps: readonly App[]) {
  const appIDs = apps.filter(opensOnIos).map(({ teamId, bundleId }) => `${teamId}.${bundleId}`);
  return { applinks: { details: appIDs.length === 0 ? [] : [{ appIDs, components: [{ '/': '*' }] }] } };
}

/** Android's digital asset links: a statement for each app that says which certificates sign it. */
export function assetLinks(apps: readonly App[]) {
  return apps.filter(opensOnAndroid).map(({ appId, certFingerprints }) => ({
    relation: ['delegate_permission/common.handle_all_urls'],
    target: {
      namespace: 'android_app',
      package_name: appId,
      sha256_cert_fingerprints: certFingerprints.map((one) => one.toUpperCase()),
    },
  }));
}
