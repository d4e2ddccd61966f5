import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMISSION_POLICIES } from '../../client/manifests/offline/definitions.ts';
import { validateManifest } from '../../client/manifests/offline/validate.ts';
import { type JobResource, jobResourceOf } from '../../contracts/job-resources.ts';
import { fieldTypesOf, itemTypeOf, objectTypeOf } from '../../frameworks/fields/pod-field-types.ts';
import { formatUnknown, unknownFields } from '../../frameworks/fields/unknown-fields.ts';
import { findFramework } from '../../frameworks/kinds/registry.ts';
import { manifestWarnings } from '../../frameworks/manifest/warnings.ts';
import { type Framework, listOfRoles } from '../../frameworks/model/framework.ts';
import { asFields, type Fields, isFields } from '../../language/fields.ts';
import { validResources } from '../corpus/resources.ts';
import { eventually } from '../eventually.ts';
import { type BridgedStage, openBridgedStage } from './bridged-stage.ts';
import { simulatedJob } from './manifests.ts';

/** What the API server warns of when a custom resource is written, beside what the parser and the bridge say of the same manifest. */

const POLICIES = ADMISSION_POLICIES.warnings();

let on: BridgedStage;

beforeAll(async () => {
  on = await openBridgedStage();
  await on.kubectl.apply(POLICIES);
  await eventually('the policies are in force', async () => {
    const manifest = manifestOf('probe');
    const told = await warningsOf(
      withFields(manifest, ['metadata', 'annotations', 'signalbox.dev/polcy'], ''),
    );
    const ofPods = await warningsOf(typoAt(manifest, ['template']));
    return told.length === 1 && ofPods.length === 2;
  });
});

afterAll(async () => {
  const names = POLICIES.map(({ kind, metadata }) => `${kind}.admissionregistration.k8s.io/${metadata.name}`);
  await on.kubectl('delete', ...names);
  await on.close();
});

const manifestOf = (name: string): JobResource => ({
  ...simulatedJob({ name, namespace: on.stage.namespace }),
});

const BY_POLICY = /^Validation failed for ValidatingAdmissionPolicy '(\S+)' with binding '\1': (.*)$/s;

/** A policy joins what one of its rules finds, in the order in which the API server keeps roles. */
const sentencesOf = (texts: readonly string[]) => texts.flatMap((text) => text.split('; ')).toSorted();

/** What the policies say to who would create the resource. */
async function warningsOf(resource: JobResource, dryRun = true): Promise<readonly string[]> {
  const said: string[] = [];
  const warned = (warnings: readonly string[]) => said.push(...warnings);
  await on.stage.cluster.create(jobResourceOf(resource), resource, { dryRun, warned });
  return sentencesOf(said.flatMap((text) => BY_POLICY.exec(text)?.[2] ?? []));
}

/** The same by the parser: what each row of the table finds that the API server can find, too. */
function expectedOf(manifest: JobResource): readonly string[] {
  const framework = findFramework(manifest.apiVersion, manifest.kind)!;
  const { job, faults } = validateManifest(manifest, { namespace: on.stage.namespace, strict: false });
  expect(faults).toEqual([]);
  const found = { manifest: manifest as unknown as Fields, job: job! };
  const rows = manifestWarnings(framework).flatMap((row) => (row.cel ? row.in(found) : []));
  return sentencesOf([...rows, ...unknownIn(framework, manifest)]);
}

/** Without what was meant, which the parser adds. */
const unknownIn = (framework: Framework, manifest: JobResource): readonly string[] =>
  unknownFields(framework, manifest)
    .filter(({ of }) => of !== 'job')
    .map((field) => formatUnknown({ ...field, nearest: undefined }));

/** Returns a copy in which a field has a value; a number is an index, `*` all roles. */
function withFields(manifest: JobResource, path: readonly (string | number)[], value: unknown): JobResource {
  return set(manifest, path, value) as JobResource;
}

function set(into: unknown, [first, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (first === undefined) return value;
  if (typeof first === 'number') {
    const items = Array.isArray(into) ? into : [];
    return [...items.slice(0, first), set(items[first], rest, value), ...items.slice(first + 1)];
  }
  const fields = asFields(into);
  if (first === '*' && Array.isArray(into)) return into.map((role) => set(role, rest, value));
  if (first !== '*') return { ...fields, [first]: set(fields[first], rest, value) };
  return Object.fromEntries(
    Object.entries(fields).map(([name, role]) => [
      name,
      isFields(role) && 'template' in role ? set(role, rest, value) : role,
    ]),
  );
}

const rolesOf = ({ apiVersion, kind }: JobResource) => {
  const framework = findFramework(apiVersion, kind)!;
  return ['spec', listOfRoles(framework) ?? framework.replicaSpecs, '*'].filter(Boolean);
};

const inRoles = (manifest: JobResource, path: readonly (string | number)[], value: unknown) =>
  withFields(manifest, [...rolesOf(manifest), ...path], value);

const typoAt = (manifest: JobResource, path: readonly (string | number)[]) =>
  inRoles(manifest, [...path, 'typo'], 1);

/** What makes a manifest one that is warned of: some do so for all kinds, some for one. */
const CHANGES: Readonly<Record<string, (manifest: JobResource) => JobResource>> = {
  'another container': (manifest) =>
    inRoles(manifest, ['template', 'spec', 'containers', 0, 'name'], 'train'),
  'Always, of roles': (manifest) => inRoles(manifest, ['restartPolicy'], 'Always'),
  'Never, of pods': (manifest) => inRoles(manifest, ['template', 'spec', 'restartPolicy'], 'Never'),
  'OnFailure of pods': (manifest) => inRoles(manifest, ['template', 'spec', 'restartPolicy'], 'OnFailure'),
  'the attempt as a variable': (manifest) =>
    inRoles(
      manifest,
      ['template', 'spec', 'containers', 0, 'env'],
      [{ name: 'SIGNALBOX_ATTEMPT', value: '1' }],
    ),
  'keys of signalbox': (manifest) =>
    inRoles(manifest, ['template', 'metadata', 'labels'], {
      ...{ 'signalbox.dev/attempt': '3', 'signalbox.dev/simulate': 'x', team: 'vision' },
    }),
  'an annotation that nothing reads': (manifest) =>
    withFields(manifest, ['metadata', 'annotations'], {
      'signalbox.dev/polcy': 'x',
      'signalbox.dev/gang': 'none',
    }),
  'queues of others': (manifest) =>
    withFields(manifest, ['metadata', 'labels'], {
      'kai.scheduler/queue': 'q',
      'kueue.x-k8s.io/queue-name': 'q',
    }),
  'queues of others, suspended': (manifest) =>
    withFields(withFields(manifest, ['spec', 'runPolicy', 'suspend'], true), ['metadata', 'labels'], {
      'runai/queue': 'q',
    }),
  'a queue that Kueue has passed': (manifest) =>
    inRoles(
      withFields(manifest, ['metadata', 'annotations', 'kueue.x-k8s.io/queue-name'], 'q'),
      ['template', 'metadata', 'labels', 'kueue.x-k8s.io/podset'],
      'x',
    ),
  'the queue as an annotation': (manifest) =>
    withFields(manifest, ['metadata', 'annotations', 'kueue.x-k8s.io/queue-name'], 'q'),
  'a gang of too many': (manifest) =>
    withFields(manifest, ['spec', 'runPolicy', 'schedulingPolicy', 'minAvailable'], 99),
  'a gang of too many, beside roles': (manifest) =>
    withFields(manifest, ['spec', 'schedulingPolicy', 'minAvailable'], 99),
  'bounds of which the upper one is left out': (manifest) =>
    withFields(manifest, ['spec', 'elasticPolicy'], { minReplicas: 1 }),
  'what an elastic policy ignores': (manifest) =>
    withFields(manifest, ['spec', 'elasticPolicy'], { minReplicas: 1, maxReplicas: 9, maxRestarts: 3 }),
  'a deprecated field': (manifest) =>
    withFields(manifest, ['spec'], {
      ...{ ...asFields(manifest.spec), nprocPerNode: undefined },
      elasticPolicy: { minReplicas: 1, maxReplicas: 9, nProcPerNode: 2 },
    }),
  'a container that is not there': (manifest) => withFields(manifest, ['spec', 'mainContainer'], 'horovod'),
  'gloo without servers': (manifest) => withFields(manifest, ['spec', 'withGloo'], 1),
  'gloo with Services': (manifest) =>
    withFields(withFields(manifest, ['spec', 'withGloo'], 1), ['spec', 'intranet'], 'Service'),
  'gloo in an elastic job': (manifest) =>
    withFields(withFields(manifest, ['spec', 'withGloo'], 1), ['spec', 'elastic'], 1),
  'fields that nothing reads': (manifest) => inRoles(manifest, ['requests'], 1),
  'a typo in each template': (manifest) => typoAt(manifest, ['template', 'spec']),
};

const QUIET: ReadonlySet<string> = new Set(['queues of others, suspended', 'a queue that Kueue has passed']);

/** The parser says nothing of a job that names what is not here. */
const isWhole = (manifest: JobResource) => validateManifest(manifest, { strict: false }).job !== undefined;

const valid = () => validResources(on.stage.namespace).filter(isWhole);

const ofEachKind = () => [
  ...Map.groupBy(valid(), ({ apiVersion, kind }) => `${apiVersion} ${kind}`).values(),
];

describe('the API server', () => {
  it('warns of what the table of the parser finds in manifests of people, word for word', async () => {
    const manifests = valid();
    const said = await Promise.all(manifests.map((manifest) => warningsOf(manifest)));
    expect(said).toEqual(manifests.map(expectedOf));
    expect(manifests.length).toBeGreaterThan(80);
  });

  it.each(Object.entries(CHANGES))('says of %s what the parser says, for each kind', async (what, change) => {
    const manifests = ofEachKind()
      .flatMap((ofKind) => ofKind.slice(0, 3))
      .map(change)
      .filter((manifest) => isWhole(manifest) && isDefined(manifest));
    expect(manifests.length).toBeGreaterThan(0);
    const said = await Promise.all(manifests.map((manifest) => warningsOf(manifest)));
    expect(said).toEqual(manifests.map(expectedOf));
    expect(said.flat().length > 0).toBe(!QUIET.has(what));
  });

  /** Fields of a job that its definition does not know are pruned before any policy sees them. */
  const isDefined = (manifest: JobResource) =>
    unknownFields(findFramework(manifest.apiVersion, manifest.kind)!, manifest).every(
      ({ of }) => of !== 'job',
    );

  it('warns of an unknown field wherever it is in a pod template', async () => {
    const places = placesIn('PodTemplateSpec', ['template']);
    const manifests = places.map((place) => typoAt(manifestOf('typo'), place));
    const said = await Promise.all(manifests.map((manifest) => warningsOf(manifest)));
    const paths = places.map((place) => place.map(asStep).join(''));
    const expected = paths.map((path) =>
      ['Master', 'Worker'].map((role) => {
        const at = `spec.pytorchReplicaSpecs.${role}${path}.typo`;
        return formatUnknown({ path: at, nearest: undefined, got: '', of: 'pod' });
      }),
    );
    expect(said).toEqual(expected.map((texts) => texts.toSorted()));
    expect(places.length).toBeGreaterThan(250);
  });

  const asStep = (step: string | number) => (typeof step === 'number' ? `[${step}]` : `.${step}`);

  function placesIn(type: string, path: readonly (string | number)[]): (readonly (string | number)[])[] {
    const inner = [...fieldTypesOf(type)].flatMap(([name, field]) => {
      const ofField = objectTypeOf(field);
      if (!ofField) return [];
      // Containers need a name and an image, or the policy `rules` alone would look at them.
      return placesIn(ofField, [...path, name, ...(itemTypeOf(field) ? [0] : [])]);
    });
    return [path, ...inner];
  }
});

describe('the bridge', () => {
  it('says the same in the status, and what was meant besides', async () => {
    const typo = inRoles(manifestOf('warned'), ['template', 'spec', 'nodeSelectr'], { gpu: 'a100' });
    const manifest = withFields(typo, ['metadata', 'annotations', 'signalbox.dev/polcy'], 'x');
    const said = await warningsOf(manifest, false);
    const { status } = await on.until('warned', 'is warned of', ({ status }) => Boolean(status?.warnings));
    expect(status!.warnings!.map((text) => text.split('; ')[0]).toSorted()).toEqual(said);
    expect(status!.warnings).toContainEqual(
      expect.stringMatching(/Worker\.template\.spec\.nodeSelectr: .*; did you mean nodeSelector\?$/),
    );
    const events = await on.eventsOf(await on.resourceOf('warned'));
    for (const message of status!.warnings!)
      expect(events).toContainEqual({ type: 'Warning', reason: 'ManifestWarning', message });
  });

  it('says what the API server warns of when the pods are created, once for each role', async () => {
    const { namespace } = on.stage;
    await on.kubectl('label', 'namespace', namespace, 'pod-security.kubernetes.io/warn=restricted');
    await on.stage.cluster.create(jobResourceOf(manifestOf('insecure')), manifestOf('insecure'));
    const { status } = await on.untilPhase('insecure', 'Running');
    expect(status!.warnings).toEqual(
      ['Master', 'Worker'].map((role) =>
        expect.stringMatching(
          `^spec.pytorchReplicaSpecs.${role}.template: would violate PodSecurity "restricted:latest"`,
        ),
      ),
    );
  });
});
