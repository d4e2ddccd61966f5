/** Filters tables. Everything can be read without it, so the fields appear only if it runs. */
export const SCRIPT = `
for (const form of document.querySelectorAll('.filter')) {
  const rows = [...document.getElementById(form.dataset.of).tBodies[0].rows];
  const [field, told] = [form.querySelector('input'), form.querySelector('output')];
  const texts = new Map();
  const textOf = (row) => {
    if (!texts.has(row)) texts.set(row, row.textContent.toLowerCase());
    return texts.get(row);
  };
  form.hidden = false;
  form.addEventListener('submit', (event) => event.preventDefault());
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(' ').filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const fits = words.every((word) => textOf(row).includes(word));
      row.hidden = !fits;
      if (fits) shown += 1;
    }
    told.textContent = words.length ? shown + ' of ' + rows.length + ' rows' : '';
  });
}
`;
