package pdftest

import (
	"crypto/md5"
	"crypto/rc4"
	"fmt"
)

// fileID is the first part of the file's identifier.
var fileID = [16]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}

// padding pads passwords (ISO 32000-1, 7.6.3.3, algorithm 2).
const padding = "\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08" +
	"\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A"

// prepareEncryption creates the key and the dictionary of revision 2.
func (w *writer) prepareEncryption() {
	user := (w.doc.Password + padding)[:32]
	ownerKey := md5.Sum([]byte(("owner" + padding)[:32]))
	owner := cipher(ownerKey[:5], []byte(user))
	material := append([]byte(user), owner...)
	material = append(material, 0xfc, 0xff, 0xff, 0xff) // /P -4
	material = append(material, fileID[:]...)
	sum := md5.Sum(material)
	w.key = sum[:5]
	w.encryption = fmt.Sprintf("<< /Filter /Standard /V 1 /R 2 /O <%x> /U <%x> /P -4 >>", owner, cipher(w.key, []byte(padding)))
}

// encrypt encrypts data of object n (algorithm 1).
func (w *writer) encrypt(n int, data []byte) []byte {
	if w.key == nil {
		return data
	}
	sum := md5.Sum(append(append([]byte(nil), w.key...), byte(n), byte(n>>8), byte(n>>16), 0, 0))
	return cipher(sum[:10], data)
}

func cipher(key, data []byte) []byte {
	c, err := rc4.NewCipher(key)
	if err != nil {
		panic(err) // the key length is fixed
	}
	out := make([]byte, len(data))
	c.XORKeyStream(out, data)
	return out
}
