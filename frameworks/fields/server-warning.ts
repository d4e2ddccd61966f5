import type { Pod } from '../../contracts/kubernetes.ts';
import { valueAt } from '../../language/fields.ts';

interface TemplateAt {
  readonly path: string;
  readonly template?: unknown;
}

/** Returns the path of the field of a pod's template that an API server warns it does not know; undefined if it warns of anything else. */
export function unknownFieldIn(text: string, pod: Pod, { path, template }: TemplateAt): string | undefined {
  const [, field] = /^unknown field "(.+)"$/.exec(text) ?? [];
  return field === undefined ? undefined : `${path}.${ofTemplate(field, pod, template)}`;
}

/** A pod may have containers that its template lacks. */
function ofTemplate(field: string, pod: Pod, template: unknown): string {
  return field.replace(
    /^spec\.(\w+)\[(\d+)\]/,
    (whole, list: 'initContainers' | 'containers', index: string) => {
      const { name } = pod.spec[list]?.[Number(index)] ?? {};
      const own = (valueAt(template, `spec.${list}`) ?? []) as readonly { name?: unknown }[];
      const found = own.findIndex((one) => one.name === name);
      return name === undefined || found < 0 ? whole : `spec.${list}[${found}]`;
    },
  );
}
