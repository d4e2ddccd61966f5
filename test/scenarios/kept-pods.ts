import { PODS } from '../../contracts/kubernetes.ts';
import type { Stage } from './stage.ts';

/** Pods that stay when they are told to stop, as on a dead node, until they are let go. */

type Place = Pick<Stage, 'cluster' | 'namespace'>;

export const keep = (place: Place, pod: string) => setFinalizers(place, pod, ['test.signalbox.dev/kept']);

export const letGo = (place: Place, pod: string) => setFinalizers(place, pod, null);

const setFinalizers = ({ cluster, namespace }: Place, name: string, finalizers: readonly string[] | null) =>
  cluster.patch(PODS, { namespace, name }, { metadata: { finalizers } });
