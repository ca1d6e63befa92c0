import { lazy, Suspense } from 'react';

const Renderer = lazy(() => import('react-markdown'));

/** Markdown of the repository: no raw HTML, no pictures from elsewhere. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="prose">
      <Suspense fallback={<p className="pre">{text}</p>}>
        <Renderer
          disallowedElements={['img']}
          unwrapDisallowed
          components={{ a: OutsideLink, h1: 'h3', h2: 'h4', h3: 'h5' }}
        >
          {text}
        </Renderer>
      </Suspense>
    </div>
  );
}

function OutsideLink({ href, children }: { href?: string; children?: React.ReactNode }) {
  return (
    <a href={href} rel="noreferrer noopener" target="_blank">
      {children}
    </a>
  );
}
