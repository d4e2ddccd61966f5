// Which folder may import which: one direction of flow. Folders that are not named (demo, examples, scripts, test) may import
// all of these, and none of these may import them, but for the files of scripts/ that are named here: plain JavaScript that
// runs before set-up.
const MAY_IMPORT = {
  language: [],
  contracts: [],
  frameworks: ['contracts'],
  machines: ['contracts'],
  explain: ['contracts'],
  // What of a gang fits: the pure decisions of the watcher.
  queue: ['contracts', 'explain'],
  gang: ['contracts', 'frameworks', 'explain'],
  resources: ['contracts', 'frameworks', 'gang'],
  cluster: ['contracts', 'scripts/process-identity.mjs'],
  temporal: ['contracts'],
  evidence: ['contracts'],
  record: ['contracts', 'temporal', 'evidence'],
  activities: [
    'contracts',
    'frameworks',
    'machines',
    'gang',
    'resources',
    'cluster',
    'temporal',
    'evidence',
    'record',
  ],
  // Of activities only the types; see below.
  workflows: ['contracts', 'machines', 'activities'],
  // worker/replay plans a job with another policy, as admission does.
  worker: [
    'contracts',
    'frameworks',
    'machines',
    'activities',
    'cluster',
    'temporal',
    'evidence',
    'record',
    'rpc',
  ],
  elected: ['contracts', 'cluster', 'temporal'],
  watcher: ['contracts', 'explain', 'queue', 'gang', 'cluster', 'temporal', 'elected'],
  client: [
    ...[
      'contracts',
      'explain',
      'queue',
      'cluster',
      'temporal',
      'frameworks',
      'gang',
      'resources',
      'evidence',
      'record',
    ],
  ],
  bridge: ['contracts', 'cluster', 'temporal', 'elected', 'frameworks', 'client'],
  pipelines: ['contracts', 'temporal', 'client'],
  // Use cases of the client as activities of the worker: for programs in other languages, and for parameter sweeps.
  rpc: ['contracts', 'frameworks', 'cluster', 'temporal', 'evidence', 'record', 'client', 'activities'],
  cli: [
    'contracts',
    'explain',
    'client',
    'packages/sandbox',
    'worker',
    'watcher',
    'bridge',
    'temporal',
    'cluster',
    'evidence',
    'record',
    'scripts/node-runtime.mjs',
    'scripts/process-identity.mjs',
  ],
  'packages/sandbox': ['contracts', 'cluster', 'scripts/lock.mjs', 'scripts/process-identity.mjs'],
};

// What the language lacks knows nothing of jobs: everybody may import it.
for (const [folder, allowed] of Object.entries(MAY_IMPORT))
  if (folder !== 'language') allowed.unshift('language');

const folders = Object.keys(MAY_IMPORT);
const anyOf = (names) =>
  `^(${names.map((name) => (name.endsWith('.mjs') ? `${name}$` : `${name}/`)).join('|')})`;

const directions = Object.entries(MAY_IMPORT).map(([folder, allowed]) => ({
  name: `${folder}-imports`,
  comment: `${folder}/ may import ${allowed.join(', ') || 'none of our folders'}`,
  severity: 'error',
  // Its own tests may use the engine's.
  from: { path: `^${folder}/`, pathNot: '^packages/sandbox/test/' },
  to: {
    path: anyOf([...folders, 'test', 'demo', 'scripts']),
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

// The order of the sub-folders: each may import those before it. `.` are the files of the folder itself; where it is not
// listed, they may import all of them.
const INNER_ORDER = {
  contracts: ['.', 'secrets', 'differences', 'schemas'],
  frameworks: ['model', 'fields', 'dialects', 'policy', 'kinds', 'manifest', 'changes', 'schemas'],
  machines: [
    'model',
    'nodes',
    'failures',
    'spares',
    'restart',
    'gang',
    'timeouts',
    'stopping',
    'assess',
    'attempt',
    'gate',
    'chart',
    'report',
  ],
  watcher: [
    'pods',
    'progress',
    'anchors',
    'groups',
    'nodes',
    'jobs',
    'census',
    'digest',
    'store',
    'questions',
    'gated',
    'informers',
  ],
  activities: ['support', 'evidence', 'deletion', 'objects', 'anchors', 'archive'],
  record: [
    'ledger',
    'facts',
    'archive',
    'log',
    'index',
    'verify',
    'deletion',
    'compare',
    'audit',
    'attest',
    'report',
  ],
  client: ['errors', 'manifests', 'servers', 'use-cases', 'handles'],
  'client/use-cases': [
    'find',
    'observe',
    'intervene',
    'pods',
    'why',
    'submit',
    'rerun',
    'parameter-sweep',
    'apply',
    'schedules',
    'archive',
    'compare',
    'report',
  ],
  cli: [
    'shell',
    'print',
    'settings',
    'contexts',
    'session',
    'input',
    'jobs',
    'validate',
    'archived',
    'audit',
    'archive',
    'attest',
    'compare',
    'replay',
    'report',
    'schedules',
    'sweeps',
    'doctor',
    'processes',
    'completion',
    'commands',
  ],
};

const filesOf = (folder, name) => (name === '.' ? `${folder}/[^/]+$` : `${folder}/${name}/`);

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
