/** How expressions in CEL are written, by which the API server finds what the parser finds, too. */

export const celText = (value: string) => JSON.stringify(value);

export const celList = (values: readonly string[]) => `[${values.map(celText).join(', ')}]`;

const MARK = '\u0000';

/** Stands, in a sentence, for the text that an expression gives. */
export const celPlace = (expression: string) => `${MARK}${expression}${MARK}`;

/** Returns the expression for a sentence with such places: the parser and the API server then say the same. */
export const celSentence = (sentence: string): string =>
  sentence
    .split(MARK)
    .map((part, index) => (index % 2 === 0 ? celText(part) : `string(${part})`))
    .filter((part) => part !== '""')
    .join(' + ');

/** Expression for a field below spec that need not be there. */
export const celOptional = (object: string, field: string): string =>
  `${object}.spec.?${field.replaceAll('.', '.?')}`;

/** Expressions for whether an object is to have no pods; none if its kind cannot say it. */
export const celSuspended = (suspend: string | undefined, objects: readonly string[] = ['object']) =>
  suspend ? objects.map((one) => `${celOptional(one, suspend)}.orValue(false)`) : [];

/** What policies know of a role: its fields, its pod's, and containers; empty without the role. */
export const celRole = (role: string) =>
  role === EACH_ROLE
    ? eachRole()
    : {
        fields: `variables.${role}`,
        template: `variables.${role}Template`,
        pod: `variables.${role}Pod`,
        containers: `variables.${role}Containers`,
      };

/** Stands for the name of each role in turn, where a manifest has a list of them. `k` is the role. */
export const EACH_ROLE = celPlace('k.?name.orValue("")');

/** Returns the expression for a list of what `told` says of each role in turn. */
export const celOfEachRole = (told: (name: string) => string) =>
  `variables.keys.map(k, ${told(EACH_ROLE)}).flatten()`;

function eachRole() {
  const template = celInside('k', 'template', 'map');
  const pod = celInside(`(${template})`, 'spec', 'map');
  const containers = `(${celInside(`(${pod})`, 'containers', 'list')})`;
  return { fields: 'k', template: `(${template})`, pod: `(${pod})`, containers };
}

/** Returns the expression for a field of any content, or an empty value if it has not this type. */
export const celInside = (of: string, field: string, type: 'map' | 'list') =>
  `type(${of}.?${field}.orValue(null)) == ${type} ? ${of}.${field} : ${type === 'map' ? '{}' : '[]'}`;
