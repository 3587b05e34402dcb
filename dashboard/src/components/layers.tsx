/** Dialogs and drawers as every page uses them: Escape closes the one on top, and no other. */
import { Drawer as MantineDrawer, Modal as MantineModal, type DrawerProps, type ModalProps } from '@mantine/core';
import { useEscape } from '../escape';

export function Modal({ closeOnEscape = true, ...props }: ModalProps) {
  useEscape(props.opened, () => closeOnEscape && props.onClose());
  return <MantineModal {...props} closeOnEscape={false} />;
}

export function Drawer({ closeOnEscape = true, ...props }: DrawerProps) {
  useEscape(props.opened, () => closeOnEscape && props.onClose());
  return <MantineDrawer {...props} closeOnEscape={false} />;
}
