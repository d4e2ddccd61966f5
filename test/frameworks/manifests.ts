import { formatFault } from '../../frameworks/faults.ts';
import { parseManifest } from '../../frameworks/parse-manifest.ts';

type Fields = Record<string, unknown>;

/** A manifest that is as it should be, to be changed in one place. */
export class ManifestBuilder {
  private manifest: Fields = {
    apiVersion: 'kubeflow.org/v1',
    kind: 'PyTorchJob',
    metadata: { name: 'resnet' },
    spec: { pytorchReplicaSpecs: { Master: aRole(), Worker: aRole({ replicas: 2 }) } },
  };

  /** Sets a field by its path, e.g. `spec.runPolicy.suspend`; undefined removes it. */
  with(path: string, value: unknown) {
    this.manifest = setAt(this.manifest, path.split('.'), value);
    return this;
  }

  /** In a role, e.g. `Worker` and `template.spec.containers`. */
  role(role: string, path: string, value: unknown) {
    return this.with(`spec.pytorchReplicaSpecs.${role}${path && '.'}${path}`, value);
  }

  build = () => this.manifest;

  /** What is wrong with it, as users read it. */
  faults(): string[] {
    const parsed = parseManifest(this.manifest, { namespace: 'ml' });
    return 'faults' in parsed ? parsed.faults.map(formatFault) : [];
  }

  job() {
    const parsed = parseManifest(this.manifest, { namespace: 'ml' });
    if ('faults' in parsed) throw new Error(parsed.faults.map(formatFault).join('\n'));
    return parsed.job;
  }
}

export const aManifest = () => new ManifestBuilder();

export const aContainer = (fields: Fields = {}) => ({
  name: 'pytorch',
  image: 'registry.example/train:1',
  ...fields,
});

export const aRole = (fields: Fields = {}, ...containers: Fields[]) => ({
  template: { spec: { containers: containers.length ? containers : [aContainer()] } },
  ...fields,
});

function setAt(fields: Fields, [key, ...rest]: readonly string[], value: unknown): Fields {
  const { [key!]: inner, ...others } = fields;
  if (rest.length) return { ...fields, [key!]: setAt((inner ?? {}) as Fields, rest, value) };
  return value === undefined ? others : { ...fields, [key!]: value };
}
