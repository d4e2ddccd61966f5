import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { DefaultLogger } from '@temporalio/worker';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { bundleWorkflows } from '../worker/bundle.ts';

/**
 * `node scripts/build.ts [FOLDER]`: bundles signalbox for the published package, by default into dist/. Node strips no
 * types in node_modules, and one file loads faster than hundreds (docs/decisions/0029).
 */

const ROOT = join(import.meta.dirname, '..');
const out = resolve(process.argv[2] ?? join(ROOT, 'dist'));

/** What runs for long. It loads packages from node_modules, where Temporal's worker looks for its own files. */
const PROCESSES = [
  'worker/worker.ts',
  'watcher/watcher.ts',
  'cli/processes/run-processes.ts',
  'cli/processes/log.ts',
];

/** Packages that few commands load, and that would be most of the bundle. */
const LEFT_OUT = ['@aws-sdk/client-s3', '@kubernetes/client-node', '@signalbox/sandbox'];

/** Messages of Temporal's API that no command sends. At each start protobufjs makes classes of all that are left. */
const UNUSED_MESSAGES = ['temporal.api.cloud', 'coresdk'];

const common: BuildOptions = {
  absWorkingDir: ROOT,
  outdir: out,
  entryNames: '[name]',
  bundle: true,
  platform: 'node',
  target: 'node22.19',
  minifyWhitespace: true,
  sourcemap: 'linked',
  sourcesContent: false,
  logLevel: 'warning',
};
const modules: BuildOptions = {
  ...common,
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  packages: 'external',
  splitting: true,
};

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
await Promise.all([
  // One file, and CommonJS as most of its packages: both load faster than modules.
  build({
    ...common,
    entryPoints: ['cli/main.ts'],
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    external: LEFT_OUT,
    plugins: [builtApart(PROCESSES), withoutMessages(UNUSED_MESSAGES)],
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
  }),
  build({ ...modules, entryPoints: PROCESSES }),
  // Workers bundle it with the user's data converter, if there is one, and else start with the bundle.
  build({ ...modules, entryPoints: ['workflows/workflows.ts'] }),
  bundleWorkflows({ logger: new DefaultLogger('WARN') }).then(({ code }) =>
    writeFile(join(out, 'workflow-bundle.js'), code),
  ),
]);

/** Leaves entries of another build to it. All outputs are in one folder. */
function builtApart(entries: readonly string[]): Plugin {
  const paths = entries.map((entry) => join(ROOT, entry));
  return {
    name: 'built-apart',
    setup({ onResolve }) {
      onResolve({ filter: /^\..*\.ts$/ }, ({ path, resolveDir }) =>
        paths.includes(resolve(resolveDir, path))
          ? { path: `./${basename(path, '.ts')}.mjs`, external: true }
          : undefined,
      );
    },
  };
}

function withoutMessages(unused: readonly string[]): Plugin {
  return {
    name: 'without-messages',
    setup({ onLoad }) {
      onLoad({ filter: /@temporalio\/proto\/protos\/json-module\.js$/ }, async ({ path }) => {
        const [, head, json, tail] = /^(.*\.addJSON\()(.*)(\);.*)$/s.exec(await readFile(path, 'utf8')) ?? [];
        const messages = JSON.parse(json!) as Namespaces;
        for (const name of unused) removeNamespace(messages, name);
        return { contents: `${head}${JSON.stringify(messages)}${tail}` };
      });
    },
  };
}

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
