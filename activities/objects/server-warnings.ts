import type { KubeObject, Pod, PodTemplate } from '../../contracts/kubernetes.ts';
import { isReplica, roleOf } from '../../contracts/pod.ts';
import { findRole } from '../../contracts/roles.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { unknownFieldIn } from '../../frameworks/fields/server-warning.ts';
import { formatUnknown } from '../../frameworks/fields/unknown-fields.ts';
import { frameworkOf } from '../../frameworks/kinds/registry.ts';
import { rolePath } from '../../frameworks/model/framework.ts';
import { shorten } from '../../language/shorten.ts';
import type { EffectResult } from '../support/effect.ts';

/** Of many pods most are warned of alike. */
const MOST = 10;
const LONGEST = 500;

/** What the API server warns of when it creates the objects of a job: each once, however many objects it is said of. */
export class ServerWarnings {
  readonly #job: TrainingJob;
  readonly #sentences = new Map<string, string>();

  constructor(job: TrainingJob) {
    this.#job = job;
  }

  add(object: KubeObject, texts: readonly string[]): void {
    const place = this.#placeOf(object);
    for (const text of texts) {
      if (this.#sentences.size === MOST) return;
      const key = `${place.path} ${text.replaceAll(object.metadata.name, '')}`;
      const sentence = this.#sentences.has(key) ? undefined : this.#sentenceOf(object, text, place);
      if (sentence !== undefined) this.#sentences.set(key, shorten(sentence, LONGEST));
    }
  }

  result(): Pick<EffectResult, 'warnings'> {
    // Which pod is created first is a matter of luck.
    const warnings = [...this.#sentences.values()].toSorted();
    return warnings.length > 0 ? { warnings } : {};
  }

  /** Undefined for an unknown field that the job is warned of already. */
  #sentenceOf(object: KubeObject, text: string, place: Place): string | undefined {
    const path = place.template && unknownFieldIn(text, object as Pod, place);
    if (path === undefined) return `${place.path}: ${text}`;
    const isKnown = this.#job.warnings.some((known) => known.startsWith(`${path}: `));
    return isKnown ? undefined : formatUnknown({ path, nearest: undefined, got: '', of: 'pod-of-cluster' });
  }

  #placeOf(object: KubeObject): Place {
    const { kind = '' } = object;
    const role =
      kind === 'Pod' && isReplica(object) ? findRole(this.#job.roles, roleOf(object as Pod)) : undefined;
    if (!role) return { path: kind };
    return { path: `${rolePath(frameworkOf(this.#job), role.name)}.template`, template: role.template };
  }
}

/** The template of a pod; of other objects their kind. */
interface Place {
  readonly path: string;
  readonly template?: PodTemplate;
}
