import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** Messages of Temporal's API that no client sends. At each start protobufjs makes classes of all that are left. */
const UNUSED = ['temporal.api.cloud', 'coresdk'];

/** Leaves the unused messages out of a bundle. */
export const withoutUnusedMessages: Plugin = {
  name: 'without-unused-messages',
  setup({ onLoad }) {
    onLoad({ filter: /@temporalio\/proto\/protos\/json-module\.js$/ }, async ({ path }) => {
      const [, head, json, tail] = /^(.*\.addJSON\()(.*)(\);.*)$/s.exec(await readFile(path, 'utf8')) ?? [];
      const messages = JSON.parse(json!) as Namespaces;
      for (const name of UNUSED) removeNamespace(messages, name);
      return { contents: `${head}${JSON.stringify(messages)}${tail}` };
    });
  },
};

interface Namespaces {
  [name: string]: { readonly nested: Namespaces };
}

function removeNamespace(all: Namespaces, name: string): void {
  const [first, ...inner] = name.split('.');
  const found = all[first!];
  if (!found) throw new Error(`Temporal's API has no messages ${name} any more`);
  if (inner.length > 0) removeNamespace(found.nested, inner.join('.'));
  else delete all[first!];
}
