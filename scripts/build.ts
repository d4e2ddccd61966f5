import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { DefaultLogger } from '@temporalio/worker';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { bundleWorkflows } from '../worker/bundle.ts';
import { writeDeclarations } from './package/declarations.ts';
import { buildLibrary } from './package/library.ts';
import { noticesFor } from './package/notices.ts';
import { withoutUnusedMessages } from './package/without-messages.ts';

/**
 * `node scripts/build.ts [FOLDER]`: bundles signalbox for the published package, by default into dist/. Node strips no
 * types in node_modules, and one file loads faster than hundreds (docs/decisions/0029).
 */

const ROOT = join(import.meta.dirname, '..');
const out = resolve(process.argv[2] ?? join(ROOT, 'dist'));

/** What runs for long. It loads packages from node_modules, where Temporal's worker looks for its own files. */
const PROCESSES = [
  'worker/worker.ts',
  'worker/replay/replay-jobs.ts',
  'watcher/watcher.ts',
  'cli/processes/run-processes.ts',
  'cli/processes/log.ts',
];

/** Packages that few commands load, and that would be most of the bundle. */
const LEFT_OUT = ['@aws-sdk/client-s3', '@duckdb/node-api', '@kubernetes/client-node', '@signalbox/sandbox'];

/** With its libraries, which are a megabyte that no other command needs. */
const REPORT = 'cli/report/render-report.ts';

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
const library = join(out, 'library');
const [commandLine, report, ofLibrary, faults] = await Promise.all([
  // One file, and CommonJS as most of its packages: both load faster than modules.
  build({
    ...common,
    entryPoints: ['cli/main.ts'],
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    external: LEFT_OUT,
    plugins: [builtApart([...PROCESSES, REPORT]), withoutUnusedMessages],
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
    metafile: true,
  }),
  build({ ...modules, entryPoints: [REPORT], packages: 'bundle', external: ['canvas'], metafile: true }),
  buildLibrary(library),
  writeDeclarations({ out: library }),
  build({ ...modules, entryPoints: PROCESSES }),
  // Workers bundle it with the user's data converter, if there is one, and else start with the bundle.
  build({ ...modules, entryPoints: ['workflows/workflows.ts'] }),
  bundleWorkflows({ logger: new DefaultLogger('WARN') }).then(({ code }) =>
    writeFile(join(out, 'workflow-bundle.js'), code),
  ),
]);
if (faults.length > 0) throw new Error(faults.join('\n'));
await writeFile(
  join(out, 'THIRD-PARTY-NOTICES.txt'),
  noticesFor([commandLine.metafile, report.metafile, ...ofLibrary]),
);

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
