// Runs in the browser, in the page that is looked at: what each check answers is one list of plain objects.
window.sylkChecks = {
  accessibility: async ({ tags }) => {
    const { violations } = await window.axe.run(document, { runOnly: { type: 'tag', values: tags } });
    return violations.flatMap(({ id, impact, help, nodes }) =>
      nodes.slice(0, 20).map(({ target, failureSummary }) => ({
        rule: id,
        impact,
        what: help,
        where: String(target),
        how: String(failureSummary).split('\n').slice(1).join('; ').trim(),
      })),
    );
  },
  responsive: () => {
    const width = document.documentElement.clientWidth;
    const found = [];
    if (document.documentElement.scrollWidth > width + 1)
      found.push({
        rule: 'overflow',
        where: 'page',
        what: `scrolls sideways: ${document.documentElement.scrollWidth} px in ${width} px`,
      });
    for (const element of document.body.querySelectorAll('*')) {
      const box = element.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) continue;
      const where = nameOf(element);
      if (box.right > width + 1)
        found.push({
          rule: 'beyond edge',
          where,
          what: `ends at ${Math.round(box.right)} px of ${width} px`,
        });
      if (
        element.matches('a[href], button, input, select, textarea, [role=button]') &&
        (box.width < 24 || box.height < 24)
      )
        found.push({
          rule: 'small target',
          where,
          what: `${Math.round(box.width)} × ${Math.round(box.height)} px, least 24 × 24`,
        });
      const size = Number.parseFloat(getComputedStyle(element).fontSize);
      if (size < 12 && [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
        found.push({ rule: 'small text', where, what: `${size} px` });
    }
    return found.slice(0, 60);
  },
  layout: () =>
    [...document.body.querySelectorAll('*')]
      .filter((element) => element.getBoundingClientRect().width > 0)
      .slice(0, 80)
      .map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const { display, position, gap } = getComputedStyle(element);
        return {
          rule: display,
          where: nameOf(element),
          what: `${Math.round(width)} × ${Math.round(height)} at ${Math.round(x)},${Math.round(y)}${position === 'static' ? '' : `, ${position}`}${gap === 'normal' ? '' : `, gap ${gap}`}`,
        };
      }),
};
const nameOf = (element) =>
  element.tagName.toLowerCase() +
  (element.id ? `#${element.id}` : '') +
  [...element.classList]
    .slice(0, 2)
    .map((name) => `.${name}`)
    .join('');
