import type { RecordedContainer, RecordedPod } from '../../contracts/types.ts';
import { compareText } from '../../language/compare-text.ts';
import { type ImageId, parseImageId } from './image-id.ts';
import type { ResourceDescriptor } from './in-toto.ts';

interface Use {
  readonly container: RecordedContainer;
  readonly pod: RecordedPod;
}

/**
 * Returns the images that ran, each once, with where it ran. Only a digest that a repository knows counts as one; what the
 * kubelet reported instead of it is an annotation.
 */
export function imageDependencies(pods: readonly RecordedPod[]): ResourceDescriptor[] {
  const uses = pods.flatMap((pod) => pod.containers.map((container) => ({ container, pod })));
  const byImage = Map.groupBy(uses, ({ container: { image, imageID } }) => `${imageID ?? ''} ${image}`);
  return [...byImage.keys()].sort(compareText).map((key) => descriptorOf(byImage.get(key)!));
}

function descriptorOf(uses: readonly Use[]): ResourceDescriptor {
  const { image, imageID } = uses[0]!.container;
  const id = parseImageId(imageID);
  return {
    name: `image ${image}`,
    ...descriptorOfImage(id, image),
    annotations: { ...(imageID ? { imageID } : {}), imageIDIs: id.type, ...whereItRan(uses) },
  };
}

const descriptorOfImage = (id: ImageId, image: string): Pick<ResourceDescriptor, 'uri' | 'digest'> =>
  id.type === 'repository digest'
    ? { uri: `docker://${id.name}`, digest: id.digest }
    : { uri: `docker://${image}` };

const whereItRan = (uses: readonly Use[]) => ({
  containers: distinct(uses.map(({ pod, container }) => `${pod.role}/${container.name}${typeOf(container)}`)),
  pods: new Set(uses.map(({ pod }) => pod.uid)).size,
  attempts: [...new Set(uses.map(({ pod }) => pod.attempt))].sort((a, b) => a - b),
  nodes: distinct(uses.flatMap(({ pod }) => pod.node ?? [])),
});

const typeOf = ({ isInit, isEphemeral }: RecordedContainer): string =>
  isInit ? ' (init)' : isEphemeral ? ' (ephemeral)' : '';

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].sort(compareText);
