import type { Fault } from '../../../../contracts/types.ts';
import { nearest } from '../../../../language/did-you-mean.ts';
import { didYouMean } from '../../../../language/meant.ts';
import { describeValue } from '../../../fields/faults.ts';
import { oncePerJob } from '../../once-per-job.ts';
import { env } from './env.ts';
import { hcclrank } from './hcclrank.ts';
import { mpiPlugin } from './mpi.ts';
import type { Argument, Arguments, Plugin, PluginJob } from './plugin.ts';
import { pytorchPlugin } from './pytorch.ts';
import { ray } from './ray.ts';
import { ssh } from './ssh.ts';
import { svc } from './svc.ts';
import { tensorflowPlugin } from './tensorflow.ts';

/** Every plugin of a Volcano Job, in the order in which they shape pods. A new one is a file and a line here. */
const PLUGINS: Readonly<Record<string, Plugin>> = {
  env,
  ssh,
  svc,
  pytorch: pytorchPlugin,
  tensorflow: tensorflowPlugin,
  mpi: mpiPlugin,
  ray,
  hcclrank,
};

export const PLUGIN_NAMES: readonly string[] = Object.keys(PLUGINS);

/** The plugins of a manifest, with their arguments. */
type GivenPlugins = Readonly<Record<string, readonly string[]>>;

interface LoadedPlugin {
  readonly plugin: Plugin;
  readonly args: Arguments;
}

/** Returns the plugins that a job names, and those that come with them. */
function loadPlugins(given: GivenPlugins): readonly LoadedPlugin[] {
  return loadedPlugins(Object.keys(given)).map((name) => {
    const plugin = PLUGINS[name]!;
    const read = readArguments(name, plugin, given[name] ?? []);
    return { plugin, args: { ...plugin.defaults, ...read.args } };
  });
}

/** Returns the names of plugins that are loaded where these are named. */
export function loadedPlugins(given: readonly string[]): readonly string[] {
  const names = new Set(given.flatMap((name) => [name, ...(PLUGINS[name]?.with ?? [])]));
  return PLUGIN_NAMES.filter((name) => names.has(name));
}

/** Returns the plugins of a job that has been checked. */
export const pluginsOf = oncePerJob(({ options }) => loadPlugins((options.plugins ?? {}) as GivenPlugins));

/** Returns what is wrong with plugins and their arguments. */
export function checkPlugins(given: GivenPlugins, job: PluginJob): Fault[] {
  const faults = Object.entries(given).flatMap(([name, args]) => {
    const plugin = Object.hasOwn(PLUGINS, name) ? PLUGINS[name] : undefined;
    return plugin ? readArguments(name, plugin, args).faults : [faultOfPlugin(name)];
  });
  if (faults.length > 0) return faults;
  return loadPlugins(given).flatMap(({ plugin, args }) => plugin.check?.(job, args) ?? []);
}

function faultOfPlugin(name: string): Fault {
  const meant = didYouMean(nearest(name, PLUGIN_NAMES));
  const expected = `one of ${PLUGIN_NAMES.join(', ')}${meant && ` (${meant})`}`;
  return { path: `spec.plugins.${name}`, expected, got: describeValue(name) };
}

interface ReadArguments {
  readonly args: Arguments;
  readonly faults: Fault[];
}

/** Reads `--port=5000`, `--port 5000` and, for what is true or false, `--flag`, as Go's flags are written. */
function readArguments(name: string, { defaults }: Plugin, list: readonly string[]): ReadArguments {
  const args: Record<string, Argument> = {};
  const faults: Fault[] = [];
  const words = list.map((text, index) => ({ text, path: `spec.plugins.${name}[${index}]` }));
  while (words.length > 0) {
    const { text, path } = words.shift()!;
    const [, flag = '', assigned] = /^--?([^=]+)(?:=(.*))?$/s.exec(text) ?? [];
    if (!Object.hasOwn(defaults, flag)) {
      faults.push({ path, expected: flagsOf(defaults), got: describeValue(text) });
      continue;
    }
    const isSwitch = typeof defaults[flag] === 'boolean';
    const written = assigned ?? (isSwitch ? 'true' : words.shift()?.text);
    const value = written === undefined ? undefined : argumentIn(written, defaults[flag]!);
    if (value === undefined)
      faults.push({ path, expected: `--${flag}=${formOf(defaults[flag]!)}`, got: describeValue(text) });
    else args[flag] = value;
  }
  return { args, faults };
}

const flagsOf = (defaults: Arguments): string =>
  Object.keys(defaults).length > 0
    ? `one of ${Object.keys(defaults)
        .map((one) => `--${one}=…`)
        .join(', ')}`
    : 'no arguments';

function argumentIn(text: string, usual: Argument): Argument | undefined {
  if (typeof usual === 'string') return text === '' ? undefined : text;
  if (typeof usual === 'boolean') return { true: true, false: false }[text];
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port > 0 && port <= LARGEST_PORT ? port : undefined;
}

const LARGEST_PORT = 65_535;

/** All numbers are ports or seconds. */
const formOf = (usual: Argument): string => {
  if (typeof usual === 'number') return `an integer from 1 to ${LARGEST_PORT}`;
  return typeof usual === 'boolean' ? 'true or false' : 'a text that is not empty';
};
