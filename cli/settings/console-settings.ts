import type { ConsoleSettings } from '../../contracts/settings.ts';
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
  isReadOnly: values.consoleReadOnly!,
  temporalUi: values.temporalUi?.replace(/\/$/, ''),
});
