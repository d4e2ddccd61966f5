import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Document } from 'yaml';
import { errorCode } from '../../language/error-code.ts';
import { isFields } from '../../language/fields.ts';
import { SettingsError } from '../shell/errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of an installation by name, as written in the file: `temporal-address: …`. */
export type ContextValues = Readonly<Record<string, string>>;

export interface ConfigFile {
  readonly path: string;
  /** Undefined if none is chosen. */
  readonly current: string | undefined;
  readonly contexts: ReadonlyMap<string, ContextValues>;
  /** Whether other users of this machine may read it. */
  readonly isReadableByOthers: boolean;
}

/** `SIGNALBOX_CONFIG`, else `signalbox/config.yaml` in `XDG_CONFIG_HOME`, else in `~/.config`. */
export const configPath = ({ SIGNALBOX_CONFIG, XDG_CONFIG_HOME }: Environment): string =>
  SIGNALBOX_CONFIG || join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'signalbox', 'config.yaml');

/** Returns the content of the file; undefined if there is none. Throws `SettingsError` if it is not a configuration. */
export async function readConfig(env: Environment): Promise<ConfigFile | undefined> {
  const path = configPath(env);
  const text = await textOfFile(path);
  if (text === undefined) return undefined;
  const document = await parsedConfig(text, path);
  const { current, contexts } = contentOf(document, path);
  const { mode } = await stat(path);
  return { path, current, contexts, isReadableByOthers: (mode & 0o077) !== 0 };
}

/** Changes the file, or creates it, and keeps its comments. Only its owner may read it: it can hold keys. */
export async function changeConfig(env: Environment, change: (document: Document) => void): Promise<void> {
  const path = configPath(env);
  const document = await parsedConfig((await textOfFile(path)) ?? '{}', path);
  contentOf(document, path);
  if (document.contents && 'flow' in document.contents) document.contents.flow = false;
  change(document);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, document.toString({ lineWidth: 0 }), { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, path);
}

async function textOfFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const code = errorCode(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new SettingsError(`${path}: cannot be read (${code}).`, { cause });
  }
}

async function parsedConfig(text: string, path: string): Promise<Document> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text) as unknown as Document;
  const [error] = document.errors;
  if (error) throw new SettingsError(`${path}: ${error.message.split('\n')[0]?.replace(/:$/, '')}.`);
  return document;
}

function contentOf(document: Document, path: string): Pick<ConfigFile, 'current' | 'contexts'> {
  const value: unknown = document.toJS() ?? {};
  const fault = (place: string, expected: string) =>
    new SettingsError(`${path}: ${place}expected ${expected}.`, { remedy: 'See docs/command-line.md.' });
  if (!isFields(value)) throw fault('', 'fields `current-context` and `contexts`');
  const { 'current-context': current, contexts = {} } = value;
  if (current !== undefined && typeof current !== 'string')
    throw fault('current-context: ', 'the name of a context');
  if (!isFields(contexts)) throw fault('contexts: ', 'contexts by name');
  const entries = Object.entries(contexts).map(([name, values]): [string, ContextValues] => {
    if (!isFields(values)) throw fault(`contexts.${name}: `, 'settings by name');
    return [name, textsOf(values)];
  });
  return { current: current || undefined, contexts: new Map(entries) };
}

const textsOf = (values: Readonly<Record<string, unknown>>): ContextValues =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, String(value)]),
  );
