import type { ClusterClient } from '../../cluster/client.ts';
import { reflect } from '../../cluster/reflector.ts';
import { PODS, type Pod } from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';

/** What the API server told of each pod of a namespace, in order: its phase, and whether it was told to stop. */
export interface PodCourses {
  /** By uid; the last one is `gone`. */
  of(uid: string): readonly string[];
  close(): Promise<void>;
}

export async function openPodCourses(cluster: ClusterClient, namespace: string): Promise<PodCourses> {
  const closing = new AbortController();
  const courses = new Map<string, string[]>();
  let lists = 0;
  const add = ({ metadata }: Pod, word: string) => {
    const course = courses.get(metadata.uid!) ?? [];
    courses.set(metadata.uid!, course);
    if (course.at(-1) !== word) course.push(word);
  };
  const note = (pod: Pod) => add(pod, wordFor(pod));
  const handlers = {
    replaced: (pods: readonly Pod[]) => {
      lists++;
      pods.forEach(note);
    },
    changed: note,
    deleted: (pod: Pod) => {
      note(pod);
      add(pod, 'gone');
    },
  };
  const following = reflect(cluster, { resource: PODS, selection: { namespace } }, handlers, closing.signal);
  await eventually('pods are followed', () => lists > 0);
  return {
    of: (uid) => courses.get(uid) ?? [],
    close: () => {
      closing.abort();
      return following;
    },
  };
}

const wordFor = ({ metadata, status }: Pod) =>
  `${status?.phase}${metadata.deletionTimestamp ? ', terminating' : ''}`;
