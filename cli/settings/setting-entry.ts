import { Option } from 'commander';

/** A setting: its sources and its format. Precedence: flag, variable, context, sandbox, default. */
export interface SettingEntry {
  /** Of the command line, e.g. `--temporal-address <host:port>`. */
  readonly flag?: string;
  /** Its variable. */
  readonly env: string;
  readonly expected: string;
  /** What it is for, in Markdown; docs/settings.md and the help have it. */
  readonly meaning: string;
  /** Of an option, for shell completion. */
  readonly choices?: readonly string[];
  readonly parse: Parse<unknown>;
  readonly default?: string;
  /** For defaults that depend on the environment. */
  readonly defaultFrom?: (env: Readonly<Record<string, string | undefined>>) => string;
  readonly secret?: boolean;
}

/** Returns the option of a setting, e.g. `--temporal-address`; undefined if it has none. */
export const flagOf = ({ flag }: Pick<SettingEntry, 'flag'>) => (flag ? new Option(flag).long : undefined);

/** Returns the value of an option of a setting, as commander has it. */
export const flagValue = ({ flag }: Pick<SettingEntry, 'flag'>, flags: Readonly<Record<string, unknown>>) =>
  flag ? flags[new Option(flag).attributeName()] : undefined;

/** Returns the value of a text; undefined if the text is invalid. Not zod, which takes longer to load than to start Node. */
type Parse<T> = (text: string) => T | undefined;

export const matching =
  (pattern: RegExp): Parse<string> =>
  (given) =>
    pattern.test(given) ? given : undefined;

export const choice =
  <const T extends string>(choices: readonly T[]): Parse<T> =>
  (given) =>
    choices.find((one) => one === given);

export const A_FILE = 'the path of a file';

export const integer =
  (least: number, most: number): Parse<number> =>
  (given) => {
    const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
    return value >= least && value <= most ? value : undefined;
  };

export const either =
  <A, B>(first: Parse<A>, second: Parse<B>): Parse<A | B> =>
  (given) =>
    first(given) ?? second(given);

export const switchedOn: Parse<boolean> = (given) =>
  new Map([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ]).get(given);

export const text = matching(/./s);
export const kubernetesName = matching(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);

/** Names with commas between them, each once. */
export const kubernetesNames: Parse<readonly string[]> = (given) => {
  const names = given.split(',').map((name) => name.trim());
  const isList = names.every(kubernetesName) && new Set(names).size === names.length;
  return isList ? names : undefined;
};

export const hostAndPort = matching(/^[^\s/:]+:\d{1,5}$|^\[[0-9a-f:]+\]:\d{1,5}$/i);
export const domainName = matching(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
export const bucketName = matching(/^[a-z0-9][-.a-z0-9]{1,61}[a-z0-9]$/);
export const webAddress = matching(/^https?:\/\/[^\s/]+\/?$/);

/** A deployment and its build are joined with a dot. Temporal's worker controller names one NAMESPACE/NAME. */
export const deploymentName = matching(/^[A-Za-z0-9][A-Za-z0-9_/-]{0,254}$/);
export const buildId = matching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/);
