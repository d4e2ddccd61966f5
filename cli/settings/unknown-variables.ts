import { nearest } from '../../language/did-you-mean.ts';
import { didYouMean } from '../../language/meant.ts';
import type { SettingEntry } from './setting-entry.ts';
import { SETTINGS } from './settings-table.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const PREFIX = 'SIGNALBOX_';

/** Those that are no settings: of contexts, of the sandbox, of the Python client, and in the containers of jobs. */
const OTHERS = [
  ...['SIGNALBOX_CONTEXT', 'SIGNALBOX_CONFIG', 'SIGNALBOX_SANDBOX_DIR', 'SIGNALBOX_CACHE'],
  'SIGNALBOX_SANDBOX_KUBERNETES',
  ...['SIGNALBOX_PYTHON', 'SIGNALBOX_ATTEMPT'],
];

const KNOWN: readonly string[] = [...Object.values<SettingEntry>(SETTINGS).map(({ env }) => env), ...OTHERS];

/** Returns the variables that nothing reads although they begin as ours do, each with the one that was probably meant. */
export const unknownVariables = (env: Environment): readonly string[] =>
  Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !KNOWN.includes(name) && !isOfService(name, env))
    .sort()
    .map((name) => [name, ...meant(name)].join(', '));

/** The prefix alone makes any two of them alike. */
function meant(name: string): readonly string[] {
  const ends = KNOWN.filter((one) => one.startsWith(PREFIX)).map((one) => one.slice(PREFIX.length));
  const end = nearest(name.slice(PREFIX.length), ends);
  return end === undefined ? [] : [didYouMean(`${PREFIX}${end}`)];
}

/** The kubelet gives each container the addresses of the namespace's Services, e.g. of one that is called signalbox. */
function isOfService(name: string, env: Environment): boolean {
  const [, service] = /^(.+?)_(?:SERVICE_(?:HOST|PORT)|PORT)(?:_|$)/.exec(name) ?? [];
  return service !== undefined && env[`${service}_SERVICE_HOST`] !== undefined;
}
