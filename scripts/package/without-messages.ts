import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { ROOT } from './entries.ts';

/** Messages of Temporal's API that no client sends. */
const UNUSED = ['coresdk', 'temporal.api.cloud'];

/** What the command line is made of, as far as it may name messages. */
const SOURCES = [
  ...['cli', 'client', 'contracts', 'evidence', 'language', 'record', 'temporal', 'worker'],
  ...['node_modules/@temporalio/client/lib', 'node_modules/@temporalio/common/lib'],
];

/**
 * Leaves the unused messages of Temporal's API out of a bundle: at each start protobufjs makes classes of all that are left.
 * A message is used if a method that the sources name takes or returns it, or the sources name it, and so are those in its
 * fields. A name that has another meaning in the sources keeps a message too many, never one too few.
 */
export const withoutUnusedMessages: Plugin = {
  name: 'without-unused-messages',
  setup({ onLoad }) {
    onLoad({ filter: /@temporalio\/proto\/protos\/json-module\.js$/ }, async ({ path }) => {
      const { head, messages, tail } = await allMessages(path);
      return { contents: `${head}${JSON.stringify(onlyUsed(messages))}${tail}` };
    });
  },
};

/** The messages and services of Temporal's API that are used, in the JSON of protobufjs. */
export async function usedMessages(): Promise<Nested> {
  const { messages } = await allMessages(join(ROOT, 'node_modules/@temporalio/proto/protos/json-module.js'));
  return onlyUsed(messages);
}

async function allMessages(path: string) {
  const [, head, json, tail] = /^(.*\.addJSON\()(.*)(\);.*)$/s.exec(await readFile(path, 'utf8')) ?? [];
  const messages = JSON.parse(json!) as Nested;
  for (const name of UNUSED) removeNamespace(messages, name);
  return { head, messages, tail };
}

export type Nested = Record<string, Item>;

/** A namespace, message, enum or service of protobufjs. */
interface Item {
  readonly nested?: Nested;
  readonly fields?: Readonly<Record<string, { readonly type: string }>>;
  readonly values?: object;
  readonly methods?: Readonly<Record<string, Method>>;
  /** The message that this field extends. */
  readonly extend?: string;
}

interface Method {
  readonly requestType: string;
  readonly responseType: string;
}

function removeNamespace(all: Nested, name: string): void {
  const [first, ...inner] = name.split('.');
  const found = all[first!];
  if (!found) throw new Error(`Temporal's API has no messages ${name} any more`);
  if (inner.length > 0) removeNamespace(found.nested!, inner.join('.'));
  else delete all[first!];
}

function namesInSources(): ReadonlySet<string> {
  const files = SOURCES.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.d)\.[jt]s$/.test(name))
      .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
  );
  return new Set(files.join('\n').match(/\w+/g));
}

/** Returns what is used of all messages, methods among them. */
function onlyUsed(messages: Nested): Nested {
  const names = namesInSources();
  const all = new Map(everyItem(messages));
  const used = new Set<string>();
  const use = (type: string, from: string): void => {
    const path = pathOf(type, from, all);
    if (path === undefined || used.has(path)) return;
    used.add(path);
    for (const field of Object.values(all.get(path)?.fields ?? {})) use(field.type, path);
  };
  for (const [path, { methods, fields, values }] of all) {
    if ((fields || values) && names.has(path.split('.').at(-1)!)) use(path, '');
    for (const { requestType, responseType } of Object.values(usedMethods(methods, names))) {
      use(requestType, path);
      use(responseType, path);
    }
  }
  return rebuilt(messages, '', { used, names });
}

/** As code calls them: in camel case. */
const usedMethods = (methods: Item['methods'] = {}, names: ReadonlySet<string>) =>
  Object.fromEntries(
    Object.entries(methods).filter(([name]) => names.has(`${name[0]!.toLowerCase()}${name.slice(1)}`)),
  );

function* everyItem(nested: Nested = {}, above = ''): Generator<[string, Item]> {
  for (const [name, item] of Object.entries(nested)) {
    const path = above ? `${above}.${name}` : name;
    yield [path, item];
    yield* everyItem(item.nested, path);
  }
}

/** A type is named from within: `Payloads`, `temporal.api.common.v1.Payloads`. */
function pathOf(type: string, from: string, all: ReadonlyMap<string, Item>): string | undefined {
  const name = type.replace(/^\./, '');
  const scope = from === '' ? [] : from.split('.');
  for (let length = scope.length; length >= 0; length--) {
    const path = [...scope.slice(0, length), name].join('.');
    const item = all.get(path);
    if (item?.fields || item?.values) return path;
  }
  return undefined;
}

interface Kept {
  readonly used: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

/** A message that is not used stays as the namespace of those in it. Extensions are of options, which no client reads. */
function rebuilt(nested: Nested, above: string, kept: Kept): Nested {
  const entries = Object.entries(nested).flatMap(([name, item]): [string, Item][] => {
    if (item.extend !== undefined) return [];
    const path = above ? `${above}.${name}` : name;
    const inner = item.nested && rebuilt(item.nested, path, kept);
    const withInner = inner && Object.keys(inner).length > 0 ? { nested: inner } : {};
    if (item.methods)
      return [[name, { ...item, ...withInner, methods: usedMethods(item.methods, kept.names) }]];
    if ((!item.fields && !item.values) || kept.used.has(path)) {
      const { nested: _all, ...own } = item;
      return item.nested && !inner ? [] : [[name, { ...own, ...withInner }]];
    }
    return inner && Object.keys(inner).length > 0 ? [[name, { nested: inner }]] : [];
  });
  return Object.fromEntries(entries);
}
