// A component that is rendered again only when its properties changed (preact/compat has it too, with much we do not need).

import { Component, type ComponentType, type VNode, h } from 'preact';

export function memo<P extends object>(inner: ComponentType<P>, same: (a: P, b: P) => boolean): ComponentType<P> {
  return class Memo extends Component<P> {
    shouldComponentUpdate(next: P): boolean { return !same(this.props as P, next); }
    render(): VNode { return h(inner as ComponentType<object>, this.props as P) as VNode; }
  } as unknown as ComponentType<P>;
}
