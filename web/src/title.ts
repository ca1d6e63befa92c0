let page = '';
let waiting = 0;

const write = (): void => {
  document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${page === '' ? '' : `${page} · `}Sylk`;
};

export function titlePage(title: string): void {
  page = title;
  write();
}

/** How many questions wait for the person stands before the title, where a tab in the background still shows it. */
export function titleWaiting(count: number): void {
  waiting = count;
  write();
}
