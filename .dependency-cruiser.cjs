const { FREE, INNER_ORDER, MAY_IMPORT, unknownFolders } = require('./scripts/folders.cjs');

const unknown = unknownFolders(__dirname);
if (unknown.length > 0)
  throw new Error(
    `scripts/folders.cjs: expected a place for each folder with code, found none for ${unknown.join(', ')}`,
  );

// What the language lacks knows nothing of jobs: everybody may import it.
for (const [folder, allowed] of Object.entries(MAY_IMPORT))
  if (!['language', 'runtime'].includes(folder)) allowed.unshift('language');

const folders = Object.keys(MAY_IMPORT);
const anyOf = (names) => `^(${names.map((name) => `${name}/`).join('|')})`;

const directions = Object.entries(MAY_IMPORT).map(([folder, allowed]) => ({
  name: `${folder}-imports`,
  comment: `${folder}/ may import ${allowed.join(', ') || 'none of our folders'}`,
  severity: 'error',
  // Its own tests may use the engine's.
  from: { path: `^${folder}/`, pathNot: '^packages/sandbox/test/' },
  to: {
    path: anyOf([...folders, ...FREE]),
    pathNot: anyOf([folder, ...allowed]),
  },
}));

const SANDBOX = '^packages/sandbox/';
/** `exports` of its package.json. */
const SANDBOX_ENTRIES = `${SANDBOX}((real-node/)?index|running)\\.ts$`;

/** The sandbox is a package: others use its entries, and it uses the engine in two files (docs/decisions/0027). */
const sandboxBorders = [
  {
    name: 'sandbox-by-its-entries',
    comment: 'import @signalbox/sandbox, nothing inside of it',
    severity: 'error',
    from: { pathNot: SANDBOX },
    to: { path: SANDBOX, pathNot: SANDBOX_ENTRIES },
  },
  {
    name: 'sandbox-imports-engine-in-two-files',
    comment:
      'what the sandbox uses of the engine is listed in packages/sandbox/engine.ts and engine-scripts.ts',
    severity: 'error',
    from: { path: SANDBOX, pathNot: `${SANDBOX}(engine(-scripts)?\\.ts$|test/)` },
    to: { pathNot: `${SANDBOX}|node_modules`, dependencyTypes: ['local'] },
  },
  {
    name: 'sandbox-is-optional',
    comment: 'the command line loads it when it needs it, and works without it',
    severity: 'error',
    from: { path: '^cli/', pathNot: '^cli/commands/sandbox' },
    to: { path: SANDBOX, dependencyTypesNot: ['type-only', 'dynamic-import'] },
  },
];

const isFile = (name) => name.endsWith('.ts');

/** The pattern of the files of an entry of INNER_ORDER. */
function filesOf(folder, name) {
  if (isFile(name)) return `${folder}/${name}$`;
  if (name !== '.') return `${folder}/${name}/`;
  const named = INNER_ORDER[folder].filter(isFile);
  return `${folder}/${named.map((file) => `(?!${file}$)`).join('')}[^/]+$`;
}

const innerOrder = Object.entries(INNER_ORDER).flatMap(([folder, inner]) =>
  inner.map((name, index) => ({
    name: `${folder}-${name}-imports`,
    comment: `${folder}/${name} may import ${inner.slice(0, index).join(', ') || 'none of its neighbours'}`,
    severity: 'error',
    from: { path: `^${filesOf(folder, name)}` },
    to: {
      path: `^${folder}/`,
      pathNot: `^(${inner
        .slice(0, index + 1)
        .map((allowed) => filesOf(folder, allowed))
        .join('|')})`,
    },
  })),
);

module.exports = {
  forbidden: [
    ...innerOrder,
    ...sandboxBorders,
    ...directions,
    {
      name: 'workflows-see-only-types-of-activities',
      comment: 'activities run outside of the workflow sandbox: import type, nothing else',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: '^activities/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'jobs-are-assessed-in-one-place',
      comment: 'the context has the assessment: read it there',
      severity: 'error',
      from: { path: '^machines/', pathNot: '^machines/(assess/|restart/|step|chart/job-setup)' },
      to: { path: '^machines/(assess/assess|restart/restart-decision)' },
    },
    {
      name: 'nobody-imports-workflows',
      comment: 'the worker bundles them by path; only tests import them',
      severity: 'error',
      from: { pathNot: '^(workflows|test)/' },
      to: { path: '^workflows/' },
    },
    {
      name: 'no-zod-in-workflows',
      comment: 'it was the largest cost per workflow',
      severity: 'error',
      from: { path: '^(workflows|machines)/' },
      to: { path: 'node_modules/zod', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: {},
      // The package's own name is resolved by tsconfig.json, for types, and by its build.
      to: { couldNotResolve: true, pathNot: '^signalbox(/|$)' },
    },
  ],
  options: {
    exclude: { path: '(^|/)(\\.signalbox|dist|coverage)/' },
    doNotFollow: { path: 'node_modules' },
    // The one parser that reads TypeScript here: dependency-cruiser has no support for TypeScript 7 yet.
    parser: 'swc',
    tsPreCompilationDeps: 'specify',
    moduleSystems: ['es6', 'cjs'],
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.cjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
