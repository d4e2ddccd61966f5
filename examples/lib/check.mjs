// Compares what a pod was given with what its kind promises.

/** Each variable has the value that it should have; `undefined` stands for one that must not be set. */
export function checkVariables(expected, actual = process.env) {
  const only = Object.fromEntries(Object.keys(expected).map((name) => [name, actual[name]]));
  check('variables', expected, only);
}

/** The same names with the same values, and no others. */
export function check(what, expected, actual) {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
  const faults = names
    .filter((name) => actual[name] !== expected[name])
    .map((name) => `${what}: ${name}: expected ${show(expected[name])}, got ${show(actual[name])}`);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const given = names.filter((name) => expected[name] !== undefined);
  console.log(`${what} as expected: ${given.join(', ') || 'none'}`);
}

const show = (value) => (value === undefined ? 'nothing' : JSON.stringify(value));
