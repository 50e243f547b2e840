// The search in the navigation bar of Docusaurus's classic theme.

import { usePluginData } from '@docusaurus/useGlobalData';
import { createElement } from 'react';
import './styles.css';

export default function SearchBar(attributes) {
  return createElement('seam-search', { ...usePluginData('docusaurus-seam'), ...attributes });
}
