// Compares what a pod was given with what its kind promises.

/** Each variable has the value that it should have; `undefined` stands for one that must not be set. */
export function checkVariables(expected, actual = process.env) {
  check('variables', expected, actual);
}

/** The same for files, or whatever else has names and contents. */
export function check(what, expected, actual) {
  const names = Object.keys(expected);
  const faults = names
    .filter((name) => actual[name] !== expected[name])
    .map((name) => `${name}: expected ${show(expected[name])}, got ${show(actual[name])}`);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const given = names.filter((name) => expected[name] !== undefined);
  console.log(`${what} as expected: ${given.join(', ')}`);
}

const show = (value) => (value === undefined ? 'nothing' : JSON.stringify(value));
