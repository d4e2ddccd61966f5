import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { DefaultLogger } from '@temporalio/worker';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { bundleWorkflows } from '../../worker/bundle.ts';
import { ROOT } from './entries.ts';
import { buildTemporalClient, temporalClientApart } from './temporal-client.ts';

/** What runs for long. It loads packages from node_modules, where Temporal's worker looks for its own files. */
const PROCESSES = [
  'worker/worker.ts',
  'worker/replay/replay-jobs.ts',
  'watcher/watcher.ts',
  'bridge/bridge.ts',
  'bridge/unserved-watch.ts',
  'notify/notifier.ts',
  'console/console.ts',
  'cli/processes/run-processes.ts',
  'cli/processes/log.ts',
];

/**
 * Packages that few commands load, and that would be most of the bundle. prom-client has one list of all metrics, which
 * the command line and the processes share only if both load the same package.
 */
const LEFT_OUT = [...['@aws-sdk/client-s3', '@duckdb/node-api', '@signalbox/sandbox'], 'prom-client'];

/** Packages that commands load when they need them: what is not in `main.cjs` is not read at each start. */
const IN_FILES_OF_THEIR_OWN = [
  ...['diff', 'hyparquet', 'hyparquet-writer', 'nodemailer', 're2js', 'xstate', 'yaml', 'zod'],
] as const;

/**
 * Of client-node only what reads a kubeconfig, in a file of its own: all of it took 400 ms of processor time to load.
 */
const KUBECONFIG = {
  name: '@kubernetes/client-node',
  file: 'package-kubeconfig',
  part: '@kubernetes/client-node/dist/config.js',
} as const;

/**
 * Of undici only what makes requests: half of the time that its index takes to load is for `fetch`, sockets and mocks. Its index puts
 * the requests of `lib/api` into the prototype, too.
 */
const UNDICI = {
  ...{ name: 'undici', file: 'package-undici' },
  contents: `
    Object.assign(require('undici/lib/dispatcher/dispatcher.js').prototype, require('undici/lib/api/index.js'));
    exports.Agent = require('undici/lib/dispatcher/agent.js');
    exports.buildConnector = require('undici/lib/core/connect.js');
    Object.defineProperty(exports, 'ProxyAgent', { get: () => require('undici/lib/dispatcher/proxy-agent.js') });`,
} as const;

/** With its libraries, which are a megabyte that no other command needs. */
const REPORT = 'cli/report/render-report.ts';
/** Those libraries, for the console, too. */
const CHARTS = 'record/report/charts/plot-charts.ts';

const common: BuildOptions = {
  absWorkingDir: ROOT,
  entryNames: '[name]',
  bundle: true,
  platform: 'node',
  target: 'node22.19',
  minifyWhitespace: true,
  sourcemap: 'linked',
  sourcesContent: false,
  // THIRD-PARTY-NOTICES.txt has them.
  legalComments: 'none',
  logLevel: 'warning',
};
const modules: BuildOptions = {
  ...common,
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  packages: 'external',
  splitting: true,
};

/**
 * Bundles command line, worker, watcher and workflows into a folder: what runs, without the library. Returns what the
 * bundles with packages in them are made of.
 */
export async function buildProgram(outdir: string): Promise<readonly Metafile[]> {
  // CommonJS as most of its packages, which loads faster than modules.
  const commonJs = {
    ...common,
    outdir,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    metafile: true,
  } as const;
  const used = new Set<string>();
  const [commandLine, packages, undici, kubeconfig, report] = await Promise.all([
    build({
      ...commonJs,
      entryPoints: ['cli/main.ts'],
      external: LEFT_OUT,
      plugins: [builtApart([...PROCESSES, REPORT]), packagesApart, temporalClientApart(used)],
      define: { 'import.meta.url': 'importMetaUrl' },
      banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
    }),
    build({
      ...commonJs,
      entryPoints: IN_FILES_OF_THEIR_OWN.map((name) => ({ in: name, out: `package-${name}` })),
      plugins: [packagesApart],
    }),
    build({
      ...{ ...commonJs, outdir: undefined, outfile: join(outdir, `${UNDICI.file}.cjs`) },
      stdin: { contents: UNDICI.contents, resolveDir: ROOT, sourcefile: UNDICI.name },
    }),
    build({
      ...commonJs,
      entryPoints: [{ in: KUBECONFIG.part, out: KUBECONFIG.file }],
      plugins: [packagesApart, withoutSideEffects],
    }),
    build({
      ...modules,
      outdir,
      entryPoints: [REPORT, CHARTS],
      packages: 'bundle',
      external: ['canvas'],
      metafile: true,
    }),
    build({ ...modules, outdir, entryPoints: PROCESSES, plugins: [builtApart([CHARTS])] }),
    // Workers bundle it with the user's data converter, if there is one, and else start with the bundle.
    build({ ...modules, outdir, entryPoints: ['workflows/workflows.ts'] }),
    bundleWorkflows({ logger: new DefaultLogger('WARN') }).then(({ code }) =>
      writeFile(join(outdir, 'workflow-bundle.js'), withRelativeSources(code)),
    ),
  ]);
  const temporalClient = await buildTemporalClient(used, commonJs);
  await endWithDigests(outdir);
  return [
    ...[commandLine, packages, undici, kubeconfig, report].map(({ metafile }) => metafile),
    ...temporalClient,
  ];
}

/** runtime/code-cache.mjs knows by it which code is of a bundle. It reads bundles as Latin-1, which is fastest. */
async function endWithDigests(outdir: string): Promise<void> {
  const bundles = (await readdir(outdir)).filter((name) => name.endsWith('.cjs'));
  for (const path of bundles.map((name) => join(outdir, name))) {
    const source = await readFile(path);
    if (source.some((byte) => byte > 127)) throw new Error(`${path}: expected ASCII`);
    const digest = createHash('sha256').update(source).digest('hex');
    await writeFile(path, `${source}//# digest=${digest}\n`);
  }
}

/** Names the sources in its map by their paths in the checkout, wherever that is. */
function withRelativeSources(code: string): string {
  return code.replace(/(?<=\/\/# sourceMappingURL=data:[^,]+;base64,)[\w+/=]+\s*$/, (encoded) =>
    Buffer.from(Buffer.from(encoded, 'base64').toString().replaceAll(`${ROOT}/`, '')).toString('base64'),
  );
}

/** Each of these packages is once in memory, also where another one of them imports it. */
const packagesApart: Plugin = {
  name: 'packages-apart',
  setup({ onResolve }) {
    onResolve({ filter: /^[@a-z]/ }, ({ path, kind }) => {
      if (kind === 'entry-point') return undefined;
      const part = [KUBECONFIG, UNDICI].find(({ name }) => name === path);
      if (part) return { path: `./${part.file}.cjs`, external: true };
      const isApart = IN_FILES_OF_THEIR_OWN.some((name) => name === path);
      return isApart ? { path: `./package-${path}.cjs`, external: true } : undefined;
    });
  },
};

/** Leaves out what client-node imports and does not use: a class for each object of Kubernetes. */
const withoutSideEffects: Plugin = {
  name: 'without-side-effects',
  setup({ onResolve, resolve: resolved }) {
    onResolve({ filter: /^\./ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === 'resolved' || !from.importer.includes(KUBECONFIG.name)) return undefined;
      return { ...(await resolved(path, { ...from, pluginData: 'resolved' })), sideEffects: false };
    });
  },
};

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
