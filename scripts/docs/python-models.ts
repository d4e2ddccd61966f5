// npm run docs:python: writes what Python has from schemas/ and its async classes. `--check` compares.
import { findPython, PythonEnvironment } from '../../test/python/environment.ts';

const program = await findPython();
if (!program)
  throw new Error('expected Python 3.10 or later on the PATH, or in SIGNALBOX_PYTHON, found none');
const python = await PythonEnvironment.ensure(program);
const { code, output } = await python.run(['scripts/generate_models.py', ...process.argv.slice(2)]);
process.stdout.write(output);
process.exitCode = code;
