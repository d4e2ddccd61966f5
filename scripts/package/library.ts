import { type BuildOptions, build, type Metafile } from 'esbuild';
import { ENTRIES, ENTRY_NAMES, type EntryName, ROOT } from './entries.ts';
import { OF_THE_CALLER, ON_REQUEST } from './peers.ts';
import { withoutUnusedMessages } from './without-messages.ts';

const EXTERNAL: Readonly<Record<EntryName, readonly string[]>> = {
  client: ON_REQUEST,
  manifests: [],
  workflow: OF_THE_CALLER,
  activity: OF_THE_CALLER,
};

/** Bundled CommonJS packages call `require`, which a module does not have. */
const REQUIRE =
  "import { createRequire as bundleRequire } from 'node:module'; const require = bundleRequire(import.meta.url);";

/**
 * Bundles what programs import, each entry as an ES module and as CommonJS, into `out`. Returns what went into the
 * bundles.
 */
export async function buildLibrary(out: string): Promise<Metafile[]> {
  const results = await Promise.all(
    ENTRY_NAMES.flatMap((name) => [
      build({ ...optionsFor(name, out), ...modules(name) }),
      build({ ...optionsFor(name, out), ...COMMON_JS }),
    ]),
  );
  return results.map(({ metafile }) => metafile!);
}

const optionsFor = (name: EntryName, out: string): BuildOptions => ({
  absWorkingDir: ROOT,
  entryPoints: { [name]: ENTRIES[name].module },
  outdir: out,
  bundle: true,
  // Temporal bundles workflows for a place that has no Node.
  platform: name === 'workflow' ? 'neutral' : 'node',
  target: 'node20',
  external: [...EXTERNAL[name]],
  plugins: [withoutUnusedMessages],
  minifyWhitespace: true,
  // Node prints the whole line of an error that nobody catches before its message.
  lineLimit: 160,
  // Errors are printed with the names of their classes.
  keepNames: true,
  sourcemap: 'linked',
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
});

/** Split, so that importing the client loads neither Temporal's library nor others. */
const modules = (name: EntryName): BuildOptions => ({
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  splitting: name === 'client',
  chunkNames: 'chunks/[name]-[hash]',
  banner: name === 'workflow' ? {} : { js: REQUIRE },
});

const COMMON_JS: BuildOptions = {
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  define: { 'import.meta.url': 'importMetaUrl' },
  banner: {},
};
