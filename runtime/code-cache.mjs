// Runs the bundles of the published package with the code that V8 compiled for the same command before. Node's own compile
// cache has what V8 compiles when it reads a file; a command mostly runs what V8 compiles when it is called
// (docs/decisions/0097).
import { createRequire, getCompileCacheDir } from 'node:module';
import { basename, dirname, join } from 'node:path';
import vm from 'node:vm';

// Not with `import`: cli/bin.mjs says why.
const { readFileSync, renameSync, rmSync, writeFileSync } = createRequire(import.meta.url)('node:fs');

/** Libraries have bundles of their own. Commands use much the same of them. */
const LIBRARY = /^\.\/package-[\w-]+\.cjs$/;

/** The build ends each bundle with its digest: other code of the same length would pass for it. */
const DIGEST = /^\/\/# digest=(\w+)$/m;

/** Loads a bundle and returns its exports. `command`: which one it will run, if that is known. */
export function loadBundle(file, command) {
  const folder = getCompileCacheDir();
  // Nothing can be kept, or nothing shall be.
  if (folder === undefined) return createRequire(file)(file);
  const kept = [];
  process.once('exit', (code) => {
    if (code === 0) for (const keep of kept) keep();
  });
  const libraries = new Map();
  const load = (path, name) => {
    const { run, keep } = compiled(path, join(folder, name));
    if (keep) kept.push(keep);
    const fromNode = createRequire(path);
    return run((id) => (LIBRARY.test(id) ? library(id) : fromNode(id)));
  };
  const library = (id) => {
    const path = join(dirname(file), id);
    if (!libraries.has(path)) libraries.set(path, load(path, basename(path)));
    return libraries.get(path);
  };
  return load(file, command ? `${command}-${basename(file)}` : basename(file));
}

/** `run` runs a CommonJS file; `keep`, if there is any, keeps what V8 has compiled of it by then. */
function compiled(path, keptAt) {
  // The build sees to it that bundles are ASCII, and this is the fastest way to read that.
  const source = readFileSync(path, 'latin1');
  const digest = Buffer.from(DIGEST.exec(source.slice(-100))?.[1] ?? '');
  const cachedData = keptCode(keptAt, digest);
  const script = new vm.Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename: path,
    cachedData,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const run = (require) => {
    const module = { exports: {} };
    script.runInThisContext().call(module.exports, module.exports, require, module, path, dirname(path));
    return module.exports;
  };
  // V8 rejects the code of another version of it.
  if (cachedData && !script.cachedDataRejected) return { run };
  return { run, keep: () => keepCode(keptAt, Buffer.concat([script.createCachedData(), digest])) };
}

function keptCode(keptAt, digest) {
  try {
    const kept = readFileSync(keptAt);
    return kept.subarray(-digest.length).equals(digest) ? kept.subarray(0, -digest.length) : undefined;
  } catch {
    return undefined;
  }
}

/** Other processes see all of a file or nothing. */
function keepCode(keptAt, code) {
  const unfinished = `${keptAt}.${process.pid}`;
  try {
    writeFileSync(unfinished, code, { mode: 0o600 });
    renameSync(unfinished, keptAt);
  } catch {
    rmSync(unfinished, { force: true });
  }
}
