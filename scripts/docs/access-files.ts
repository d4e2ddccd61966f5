import { KINDS_WITH_VERSIONS } from '../../bridge/job-kinds.ts';
import { KINDS_OF_REQUESTS } from '../../bridge/requests.ts';
import { NAMED_OBJECTS } from '../../client/manifests/offline/named-objects.ts';
import { apiGroupOf } from '../../contracts/kubernetes.ts';
import { findFramework } from '../../frameworks/kinds/registry.ts';
import { hasScale } from '../../frameworks/schemas/custom-resources.ts';
import { type Sections, withSections } from './with-sections.ts';

interface JobKind {
  readonly group: string;
  readonly plural: string;
  readonly isScalable: boolean;
}

const KINDS: readonly JobKind[] = KINDS_WITH_VERSIONS.map(([{ apiVersion, kind, plural }]) => ({
  ...{ group: apiGroupOf(apiVersion), plural },
  isScalable: hasScale(findFramework(apiVersion, kind)!),
}));

const REQUESTS: readonly JobKind[] = KINDS_OF_REQUESTS.map(({ resource: { apiVersion, plural } }) => ({
  ...{ group: apiGroupOf(apiVersion), plural, isScalable: false },
}));

const REFERENCES: readonly JobKind[] = NAMED_OBJECTS.map(({ object: { apiVersion, plural } }) => ({
  ...{ group: apiGroupOf(apiVersion), plural, isScalable: false },
}));

/** The rules for custom resources of jobs in files that say the rights of an account. */
const SECTIONS: Readonly<Record<string, Sections>> = {
  'bridge/bridge.yaml': {
    'rights to custom resources of jobs': () =>
      [
        ...rules({ verbs: ['get', 'list', 'watch'] }),
        ...rules({ subresource: 'status', verbs: ['patch'] }),
        ...rules({ verbs: ['list', 'watch', 'delete'], kinds: REQUESTS }),
        ...rules({ verbs: ['get'], kinds: REFERENCES }),
      ].join('\n'),
  },
  'bridge/worker.yaml': {
    'rights to custom resources of jobs': () => rules({ verbs: ['get', 'delete'] }).join('\n'),
  },
  'people/researcher.yaml': {
    'rights to custom resources of jobs': () =>
      [
        ...rules({ verbs: ['create', 'get', 'list', 'watch', 'update', 'patch', 'delete'] }),
        ...rules({
          ...{ subresource: 'scale', verbs: ['get', 'patch', 'update'] },
          kinds: KINDS.filter(({ isScalable }) => isScalable),
        }),
        ...rules({ verbs: ['create', 'get', 'list', 'watch', 'delete'], kinds: REQUESTS }),
        ...rules({ verbs: ['get', 'list', 'watch'], kinds: REFERENCES }),
      ].join('\n'),
  },
};

interface Given {
  readonly subresource?: string;
  readonly verbs: readonly string[];
  readonly kinds?: readonly JobKind[];
}

/** Returns a rule of a ClusterRole for each API group. */
function rules({ subresource, verbs, kinds = KINDS }: Given): string[] {
  return [...Map.groupBy(kinds, ({ group }) => group)].map(([group, ofGroup]) =>
    [
      `  - apiGroups: [${group}]`,
      '    resources:',
      ...ofGroup.map(({ plural }) => `      - ${[plural, subresource].filter(Boolean).join('/')}`),
      `    verbs: [${verbs.join(', ')}]`,
    ].join('\n'),
  );
}

/** By path. */
export const ACCESS_FILES: Readonly<Record<string, () => string>> = Object.fromEntries(
  Object.entries(SECTIONS).map(([file, sections]) => {
    const path = `charts/signalbox/access/${file}`;
    return [path, () => withSections(path, sections, (text) => `  # ${text}`)];
  }),
);
