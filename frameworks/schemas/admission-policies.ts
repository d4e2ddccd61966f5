import { jobResourceOf } from '../../contracts/job-resources.ts';
import { apiGroupOf } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import { READ_ANNOTATIONS } from '../../contracts/written-manifest.ts';
import { OWN_MANAGER } from '../dialects/kubeflow-dialect.ts';
import { FRAMEWORKS } from '../kinds/registry.ts';
import { celText } from '../model/cel.ts';
import type { Framework } from '../model/framework.ts';
import { manifestRules, rolesOfAny, variablesOf } from './admission-rules.ts';
import { customResourceDefinitions, type Definition } from './custom-resources.ts';
import { editRules } from './edit-rules.ts';
import {
  ANNOTATIONS_ARE_NEW,
  matchOf,
  type PolicyObject,
  SPEC_IS_NEW,
  STAYS,
  withBinding,
} from './policy-object.ts';
import { unknownFieldsPolicy, warningsPolicy } from './warning-policies.ts';

/**
 * Policies for the resources of jobs, each with its binding, for all namespaces: `rules` refuse faulty resources, and edits that
 * a live job cannot follow; `warnings` tell what works otherwise than it looks; `requester` notes who wrote a resource;
 * `pod-rights` refuses jobs of those who may not create pods; `take-over` gives new jobs to signalbox while an original operator
 * still runs.
 */
export const ADMISSION_POLICIES = {
  rules: () => ofEachKind(rulesPolicy),
  warnings: () => [...ofEachKind(warningsPolicy), ...unknownFieldsPolicy(customResourceDefinitions())],
  requester: () => requesterPolicies(customResourceDefinitions()),
  'pod-rights': () => podRightsPolicy(customResourceDefinitions()),
  'take-over': () => takeOverPolicy(customResourceDefinitions()),
} as const satisfies Readonly<Record<string, () => readonly PolicyObject[]>>;

function ofEachKind(
  policy: (versions: readonly Framework[], definition: Definition) => readonly PolicyObject[],
): readonly PolicyObject[] {
  const kinds = Map.groupBy(FRAMEWORKS, ({ apiVersion, kind }) => `${kind} ${apiGroupOf(apiVersion)}`);
  const definitions = customResourceDefinitions();
  return [...kinds.values()].flatMap((versions, index) => policy(versions, definitions[index]!));
}

/** A rule that cannot be evaluated lets the resource pass: the bridge looks at it again, with the parser. */
function rulesPolicy(versions: readonly Framework[], definition: Definition): readonly PolicyObject[] {
  const [first, second] = versions as readonly [Framework, Framework | undefined];
  const { plural } = jobResourceOf(first);
  const ofManifest = (framework: Framework) => `(${manifestRules(framework).join(' + ')})`;
  const shape = second
    ? `${IS_MADE_ANOTHER} ? [${JSON.stringify(MADE_ANOTHER)}] : has(object.spec.mpiImplementation) ? ${ofManifest(second)} : ${ofManifest(first)}`
    : ofManifest(first);
  const edits = [...editRules(first, fieldsOf(definition)), ...(second ? [VERSION_RULE] : [])];
  const written = { name: 'written', expression: `${SPEC_IS_NEW} || ${ANNOTATIONS_ARE_NEW}` };
  const about = { name: `signalbox-${plural}.${apiGroupOf(first.apiVersion)}`, part: 'rules' } as const;
  return withBinding('ValidatingAdmissionPolicy', about, {
    failurePolicy: 'Ignore',
    matchConstraints: matchOf([definition]),
    matchConditions: [STAYS, written],
    variables: [
      ...variablesOf(first),
      { name: 'faults', expression: `(${SPEC_IS_NEW}) ? (${shape}) : []` },
      { name: 'edits', expression: `variables.isEdit ? (${edits.join(' + ')}) : []` },
    ],
    validations: [
      {
        expression: 'size(variables.faults + variables.edits) == 0',
        messageExpression: '(variables.faults + variables.edits).join("; ")',
        reason: 'Invalid',
      },
    ],
  });
}

/**
 * Kueue's webhook gets an MPIJob of v1 as one of v2beta1. Where it answers with a patch, because it suspends the job, the API
 * server then fills in the defaults of v2beta1, by which the two are told apart: a launcher that expects kubectl exec would start
 * with ssh.
 */
const IS_MADE_ANOTHER = `!variables.isEdit && request.requestKind.version == "v1" && has(object.spec.mpiImplementation)`;
const MADE_ANOTHER =
  'apiVersion: expected kubeflow.org/v2beta1, because a webhook, such as that of Kueue, has made an MPIJob of v2beta1 of this one: write it as such, or take kubeflow.org/mpijob out of the integrations of Kueue';

const VERSION_RULE = `(!variables.isEdit || has(object.spec.mpiImplementation) == has(oldObject.spec.mpiImplementation) ? [] : ["apiVersion: expected the present one, which a job keeps from its submission to its end"])`;

/** The fields of spec that a definition has in any version. */
function fieldsOf({ spec }: Definition): readonly string[] {
  const versions = spec.versions as readonly {
    readonly schema: { readonly openAPIV3Schema: { readonly properties: { readonly spec: object } } };
  }[];
  const names = versions.flatMap(({ schema }) => {
    const { properties } = schema.openAPIV3Schema.properties.spec as { readonly properties: object };
    return Object.keys(properties);
  });
  return [...new Set(names)];
}

const keyed = (key: string) => `[?${JSON.stringify(key)}]`;
const { requestedBy, editedBy, editedGeneration } = ANNOTATIONS;

/** The API server notes who created a resource, and who last edited what its job follows; nobody else can. */
function requesterPolicies(definitions: readonly Definition[]): readonly PolicyObject[] {
  const about = { name: 'signalbox-requester', part: 'requester' } as const;
  const user = 'request.userInfo.username';
  const next = `string(oldObject.metadata.generation + (object.spec == oldObject.spec ? 0 : 1))`;
  const now = (key: string) => `object.metadata.?annotations${keyed(key)}`;
  const before = (key: string) => `oldObject.metadata.?annotations${keyed(key)}`;
  const add = (key: string, value: string) =>
    `[JSONPatch{op: "add", path: "/metadata/annotations/" + jsonpatch.escapeKey(${JSON.stringify(key)}), value: ${value}}]`;
  const withAnnotations =
    '(has(object.metadata.annotations) ? [] : [JSONPatch{op: "add", path: "/metadata/annotations", value: Object.metadata.annotations{}}])';
  const kept = `(${before(requestedBy)}.hasValue() ? ${add(requestedBy, `${before(requestedBy)}.orValue("")`)} : [])`;
  const remove = (key: string) =>
    `(${now(key)}.hasValue() ? [JSONPatch{op: "remove", path: "/metadata/annotations/" + jsonpatch.escapeKey(${JSON.stringify(key)})}] : [])`;
  const isOther = (key: string) => `${now(key)} != ${before(key)}`;
  /** Changes of annotations have no generation. */
  const isEdited = [SPEC_IS_NEW, ...[...READ_ANNOTATIONS].map(isOther)].join(' || ');
  // Manifests are copied from resources, and say once more who wrote those.
  const ofCreation = [remove(editedBy), remove(editedGeneration), add(requestedBy, user)].join(' + ');
  const ofEdit = `${kept} + (${isEdited} ? ${add(editedBy, user)} + ${add(editedGeneration, next)} : [])`;
  return [
    ...withBinding('MutatingAdmissionPolicy', about, {
      failurePolicy: 'Fail',
      reinvocationPolicy: 'IfNeeded',
      matchConstraints: matchOf(definitions),
      matchConditions: [STAYS, { name: 'written', expression: `${isEdited} || ${isOther(requestedBy)}` }],
      mutations: [
        {
          patchType: 'JSONPatch',
          jsonPatch: {
            expression: `${withAnnotations} + (request.operation == "CREATE" ? ${ofCreation} : ${ofEdit})`,
          },
        },
      ],
    }),
    ...withBinding('ValidatingAdmissionPolicy', about, {
      failurePolicy: 'Fail',
      matchConstraints: matchOf(definitions),
      matchConditions: [STAYS],
      validations: [
        {
          expression: `request.operation == "CREATE" ? ${now(requestedBy)}.orValue(${user}) == ${user} : ${now(requestedBy)} == ${before(requestedBy)}`,
          message: `metadata.annotations[${requestedBy}]: expected the name that the API server wrote, of who created the resource`,
        },
        {
          expression: [
            `!${now(editedBy)}.hasValue() && (request.operation == "CREATE" || !${before(editedBy)}.hasValue())`,
            `request.operation == "UPDATE" && ${now(editedBy)} == ${before(editedBy)} && ${now(editedGeneration)} == ${before(editedGeneration)}`,
            `request.operation == "UPDATE" && ${now(editedBy)}.orValue("") == ${user} && ${now(editedGeneration)}.orValue("") == ${next}`,
          ].join(' || '),
          message: `metadata.annotations[${editedBy}]: expected what the API server wrote, of who edited the spec`,
        },
      ],
    }),
  ];
}

/** Of a template, what makes a pod more than a place in a queue: Kueue, for one, writes node selectors and tolerations. */
const POWERS = [
  ...['containers', 'initContainers', 'ephemeralContainers', 'volumes', 'resourceClaims'],
  ...['serviceAccountName', 'serviceAccount', 'automountServiceAccountToken', 'imagePullSecrets'],
  ...['hostNetwork', 'hostPID', 'hostIPC', 'hostUsers', 'securityContext', 'runtimeClassName', 'nodeName'],
];

/** A user who may create jobs could have any pod otherwise. */
function podRightsPolicy(definitions: readonly Definition[]): readonly PolicyObject[] {
  const isSame = POWERS.map(
    (field) => `r.of.template.?spec.?${field} == o.of.?template.?spec.?${field}`,
  ).join(' && ');
  const hadSame = `variables.oldRoles.exists(o, o.name == r.name && type(o.of) == map && ${isSame})`;
  return withBinding(
    'ValidatingAdmissionPolicy',
    { name: 'signalbox-pod-rights', part: 'pod-rights' },
    {
      failurePolicy: 'Fail',
      matchConstraints: matchOf(definitions),
      matchConditions: [STAYS, { name: 'written', expression: SPEC_IS_NEW }],
      variables: [
        { name: 'roles', expression: rolesOfAny('object') },
        {
          name: 'oldRoles',
          expression: `request.operation == "UPDATE" ? (${rolesOfAny('oldObject')}) : []`,
        },
        {
          name: 'asksForPods',
          expression: [
            `!variables.roles.filter(r, type(r.of) == map && has(r.of.template)).all(r, ${hadSame})`,
            ...FRAMEWORKS.flatMap(asksOtherwise),
          ].join(' || '),
        },
      ],
      validations: [
        {
          expression:
            '!variables.asksForPods || authorizer.group("").resource("pods").namespace(request.namespace).check("create").allowed()',
          messageExpression:
            '"who writes what a job runs must be allowed to create pods: " + request.userInfo.username + " is not, in namespace " + request.namespace',
          reason: 'Forbidden',
        },
      ],
    },
  );
}

/** Of a kind whose manifests have no roles. */
const asksOtherwise = ({ apiVersion, kind, resource }: Framework): readonly string[] => {
  if (!resource?.celPowers) return [];
  const isOfKind = `object.kind == ${celText(kind)} && object.apiVersion == ${celText(apiVersion)}`;
  const [now, before] = ['object', 'oldObject'].map(resource.celPowers);
  return [`${isOfKind} && (request.operation == "CREATE" || ${now} != ${before})`];
};

/** Names signalbox as the manager of each new job that names nobody. An operator that heeds managers then runs on with its own. */
function takeOverPolicy(definitions: readonly Definition[]): readonly PolicyObject[] {
  const kinds = new Set(
    FRAMEWORKS.filter(({ dialect }) => dialect.managedBy?.own !== undefined).map(
      (one) => jobResourceOf(one).plural,
    ),
  );
  const managed = definitions.filter(
    ({ spec }) => spec.group === 'kubeflow.org' && kinds.has(spec.names.plural),
  );
  const match = matchOf(managed);
  return withBinding(
    'MutatingAdmissionPolicy',
    { name: 'signalbox-take-over', part: 'take-over' },
    {
      failurePolicy: 'Fail',
      reinvocationPolicy: 'Never',
      matchConstraints: {
        resourceRules: match.resourceRules.map((rule) => ({ ...rule, operations: ['CREATE'] })),
      },
      matchConditions: [{ name: 'unmanaged', expression: '!object.spec.?runPolicy.?managedBy.hasValue()' }],
      mutations: [
        {
          patchType: 'JSONPatch',
          jsonPatch: {
            expression: `(has(object.spec.runPolicy) ? [] : [JSONPatch{op: "add", path: "/spec/runPolicy", value: Object.spec.runPolicy{}}]) + [JSONPatch{op: "add", path: "/spec/runPolicy/managedBy", value: ${JSON.stringify(OWN_MANAGER)}}]`,
          },
        },
      ],
    },
  );
}
