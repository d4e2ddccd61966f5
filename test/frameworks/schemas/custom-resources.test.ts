import { describe, expect, it } from '@jest/globals';
import { customResourceDefinitions } from '../../../frameworks/schemas/custom-resources.ts';

const DEFINITIONS = customResourceDefinitions();
/** kubectl stores a copy of what it applies in an annotation, which has this limit. */
const MOST_BYTES = 262_144;

const versionsOf = (name: string) =>
  DEFINITIONS.find(({ metadata }) => metadata.name === name)!.spec.versions as readonly {
    readonly name: string;
    readonly storage: boolean;
    readonly subresources: { readonly scale?: object };
    readonly schema: { readonly openAPIV3Schema: { readonly properties: { readonly spec: Spec } } };
  }[];

interface Spec {
  readonly properties: Readonly<Record<string, { readonly default?: unknown }>>;
}

const defaultsOf = ({ properties }: Spec) =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, field]) =>
      'default' in field ? [[name, field.default]] : [],
    ),
  );

describe('the definitions', () => {
  it('are one for each kind, small enough for kubectl apply', () => {
    expect(DEFINITIONS.map(({ metadata }) => metadata.name)).toEqual([
      'pytorchjobs.kubeflow.org',
      'tfjobs.kubeflow.org',
      'xgboostjobs.kubeflow.org',
      'paddlejobs.kubeflow.org',
      'jaxjobs.kubeflow.org',
      'mpijobs.kubeflow.org',
      'paddlejobs.batch.paddlepaddle.org',
      'jobs.batch.volcano.sh',
      'trainjobs.trainer.kubeflow.org',
    ]);
    for (const definition of DEFINITIONS)
      expect(JSON.stringify(definition).length).toBeLessThan(MOST_BYTES / 10);
  });

  it('store an MPIJob as v1, and tell v2beta1 by its defaults', () => {
    const versions = versionsOf('mpijobs.kubeflow.org');
    expect(versions.map(({ name, storage }) => [name, storage])).toEqual([
      ['v1', true],
      ['v2beta1', false],
    ]);
    const [v1, v2] = versions.map(({ schema }) => schema.openAPIV3Schema.properties.spec);
    expect(Object.keys(v1!.properties)).toEqual(Object.keys(v2!.properties));
    expect(defaultsOf(v1!)).toEqual({ runPolicy: {} });
    expect(defaultsOf(v2!)).toMatchObject({ runPolicy: {}, mpiImplementation: 'OpenMPI', slotsPerWorker: 1 });
  });

  it('refuse a job of an unknown controller, as the original operators do', () => {
    const [{ schema }] = versionsOf('pytorchjobs.kubeflow.org') as [ReturnType<typeof versionsOf>[number]];
    expect(schema.openAPIV3Schema.properties.spec.properties.runPolicy).toMatchObject({
      properties: {
        managedBy: {
          type: 'string',
          enum: [
            'kubeflow.org/training-operator',
            'kubeflow.org/mpi-operator',
            'signalbox.dev/bridge',
            'kueue.x-k8s.io/multikueue',
          ],
        },
      },
    });
  });

  it('scale the kinds whose workers can be scaled', () => {
    const isScalable = ({ metadata }: { readonly metadata: { readonly name: string } }) =>
      versionsOf(metadata.name).some(({ subresources }) => subresources.scale);
    expect(DEFINITIONS.filter(isScalable).map(({ spec }) => spec.names.kind)).toEqual([
      ...['PyTorchJob', 'TFJob', 'XGBoostJob', 'PaddleJob', 'JAXJob'],
    ]);
  });
});
