import type { EnvVar } from '../../contracts/kubernetes.ts';
import type { Conventions, TrainingJob } from '../../contracts/training-job.ts';
import { formatFault } from '../../frameworks/fields/faults.ts';
import { frameworkOf } from '../../frameworks/kinds/registry.ts';
import { parseManifest } from '../../frameworks/manifest/parse-manifest.ts';

type Fields = Record<string, unknown>;

/** A manifest that is as it should be, to be changed in one place. */
export class ManifestBuilder {
  private manifest: Fields;
  private readonly replicaSpecs: string;

  constructor(kind: string, replicaSpecs: string, roles: Fields) {
    this.replicaSpecs = replicaSpecs;
    this.manifest = {
      apiVersion: 'kubeflow.org/v1',
      kind,
      metadata: { name: 'resnet' },
      spec: { [replicaSpecs]: roles },
    };
  }

  /** Sets a field by its path, e.g. `spec.runPolicy.suspend`; undefined removes it. */
  with(path: string, value: unknown) {
    this.manifest = setAt(this.manifest, path.split('.'), value);
    return this;
  }

  /** In a role, e.g. `Worker` and `template.spec.containers`. */
  role(role: string, path: string, value: unknown) {
    return this.with(`spec.${this.replicaSpecs}.${role}${path && '.'}${path}`, value);
  }

  build = () => this.manifest;

  /** What is wrong with it, as users read it. */
  faults(): string[] {
    const parsed = parseManifest(this.manifest, { namespace: 'ml' });
    return 'faults' in parsed ? parsed.faults.map(formatFault) : [];
  }

  job(conventions: Partial<Conventions> = {}) {
    const parsed = parseManifest(this.manifest, { namespace: 'ml', conventions });
    if ('faults' in parsed) throw new Error(parsed.faults.map(formatFault).join('\n'));
    return parsed.job;
  }
}

export const aManifest = () =>
  new ManifestBuilder('PyTorchJob', 'pytorchReplicaSpecs', {
    Master: aRole(),
    Worker: aRole({ replicas: 2 }),
  });

/** Of any kind of kubeflow.org/v1: its roles with what is said of them, in the container that the kind looks for. */
export function aManifestOf(kind: string, roles: Readonly<Record<string, Fields>>) {
  const { replicaSpecs, container } = frameworkOf({ apiVersion: 'kubeflow.org/v1', kind });
  const entries = Object.entries(roles).map(([name, fields]) => [
    name,
    aRole(fields, aContainer({ name: container })),
  ]);
  return new ManifestBuilder(kind, replicaSpecs, Object.fromEntries(entries));
}

export const aContainer = (fields: Fields = {}) => ({
  name: 'pytorch',
  image: 'registry.example/train:1',
  ...fields,
});

export const aRole = (fields: Fields = {}, ...containers: Fields[]) => ({
  template: { spec: { containers: containers.length ? containers : [aContainer()] } },
  ...fields,
});

/** What a replica is told, by name of the variable; `<field>` where it is a field of the pod. */
export function environmentOf(job: TrainingJob, pod: string): Record<string, string> {
  const [, name, index] = /^(\w+)-(\d+)$/.exec(pod)!;
  const role = job.roles.find((one) => one.name === name)!;
  const variables = frameworkOf(job).environment(job, { role, index: Number(index) });
  return Object.fromEntries(variables.map((variable) => [variable.name, asText(variable)]));
}

function asText({ value, valueFrom }: EnvVar): string {
  const { fieldPath } = (valueFrom?.fieldRef ?? {}) as { readonly fieldPath?: string };
  return value ?? `<${fieldPath}>`;
}

function setAt(fields: Fields, [key, ...rest]: readonly string[], value: unknown): Fields {
  const { [key!]: inner, ...others } = fields;
  if (rest.length) return { ...fields, [key!]: setAt((inner ?? {}) as Fields, rest, value) };
  return value === undefined ? others : { ...fields, [key!]: value };
}
