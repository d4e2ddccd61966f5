import { isFields } from '../../language/fields.ts';
import { type FieldPlace, joined } from './place.ts';
import { fieldTypesOf, objectTypeOf } from './pod-field-types.ts';

interface PodPlace extends FieldPlace {
  readonly type: string;
}

/** Returns all objects of a pod template, each with the fields that Kubernetes knows of it. */
export const placesOfTemplate = (path: string, template: unknown): PodPlace[] =>
  placesOfType('PodTemplateSpec', path, template);

/** Whether users look for fields here that they put into a wrong place: deeper ones share names such as `values`. */
export const isOuter = ({ type }: PodPlace) => OUTER.has(type);

const OUTER: ReadonlySet<string> = new Set(['PodTemplateSpec', 'PodSpec', 'Container']);

function placesOfType(type: string, path: string, value: unknown): PodPlace[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => placesOfType(type, `${path}[${index}]`, item));
  }
  if (!isFields(value)) return [];
  const fields = fieldTypesOf(type);
  const inner = Object.entries(value).flatMap(([name, field]) => {
    const ofField = objectTypeOf(fields.get(name));
    return ofField ? placesOfType(ofField, joined(path, name), field) : [];
  });
  return [{ type, path, general: path, value, known: [...fields.keys()] }, ...inner];
}
