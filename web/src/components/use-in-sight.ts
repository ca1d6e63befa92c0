import { type RefObject, useEffect, useRef } from 'react';

/** For what is shown because it was chosen elsewhere: where it lies off the screen, the page moves to it. */
export function useInSight<Element extends HTMLElement>(): RefObject<Element | null> {
  const shown = useRef<Element>(null);
  useEffect(() => {
    const top = shown.current?.getBoundingClientRect().top ?? 0;
    if (top < 0 || top > innerHeight * 0.8) shown.current?.scrollIntoView({ block: 'start' });
  }, []);
  return shown;
}
