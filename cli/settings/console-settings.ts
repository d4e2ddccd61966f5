import type { ConsoleSettings, OidcSettings } from '../../contracts/settings.ts';
import type { SettingValues } from './settings-table.ts';

const DEFAULT_PORT = 8470;

export const consoleOf = (values: SettingValues): ConsoleSettings => ({
  host: values.consoleHost!,
  port: values.consolePort ?? DEFAULT_PORT,
  url: values.consoleUrl?.replace(/\/$/, ''),
  identity: values.consoleIdentity!,
  proxies: values.consoleProxies ?? [],
  userHeader: values.consoleUserHeader!.toLowerCase(),
  groupsHeader: values.consoleGroupsHeader!.toLowerCase(),
  oidc: oidcOf(values),
  sessionKeyFile: values.consoleSessionKeyFile,
  isReadOnly: values.consoleReadOnly!,
  temporalUi: values.temporalUi?.replace(/\/$/, ''),
});

function oidcOf(values: SettingValues): OidcSettings | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId } = values;
  if (issuer === undefined || clientId === undefined) return undefined;
  return {
    ...{ issuer, clientId, secretFile: values.oidcSecretFile, scopes: values.oidcScopes! },
    ...{ userClaim: values.oidcUserClaim!, groupsClaim: values.oidcGroupsClaim! },
    allowedGroups: values.oidcAllowedGroups ?? [],
    sessionMs: values.consoleSessionHours! * 3_600_000,
  };
}
