package object

import (
	"bytes"
	"strings"
	"testing"
)

// The dictionary for pdfcpu must be an update at the end of the file.
func TestPlainEncryption(t *testing.T) {
	const filter = "<< /CFM /AESV2 /AuthEvent /DocOpen /Length 16 >>"
	const bare = "<< /CFM /AESV2 >>"
	for name, c := range map[string]struct{ dict, want string }{
		"no length of a filter": {"<< /V 4 /StmF /StdCF /Length 128 /CF << /StdCF " + bare + " >> >>", "<< /V 4 /StmF /StdCF /Length 128 /CF << /StdCF << /Length 16  /CFM /AESV2 >> >> >>"},
		"sound":                 {"<< /V 4 /StmF /StdCF /Length 128 /CF << /StdCF " + filter + " >> >>", ""},
		"no length":             {"<< /V 4 /StmF /StdCF /CF << /StdCF " + filter + " >> >>", "<< /Length 128  /V 4 /StmF /StdCF /CF << /StdCF " + filter + " >> >>"},
		"filters elsewhere":     {"<< /V 4 /StmF /StdCF /Length 128 /CF 8 0 R >>", "<< /V 4 /StmF /StdCF /Length 128 /CF << /StdCF " + filter + " >> >>"},
		"one filter":            {"<< /V 4 /StmF /StdCF /Length 128 /CF 9 0 R >>", "<< /V 4 /StmF /StdCF /Length 128 /CF << /StdCF " + filter + " >> >>"},
		"both":                  {"<< /V 4 /StmF /StdCF /CF 9 0 R >>", "<< /Length 128  /V 4 /StmF /StdCF /CF << /StdCF " + filter + " >> >>"},
		"filters that loop":     {"<< /V 4 /StmF /StdCF /Length 128 /CF 6 0 R >>", "<< /V 4 /StmF /StdCF /Length 128 /CF << /CF << /Length 16  /CF 6 0 R >> >> >>"},
		"filters not there":     {"<< /V 4 /StmF /StdCF /Length 128 /CF 5 0 R >>", ""},
	} {
		b := []byte("%PDF-1.6\n6 0 obj\n<< /CF 6 0 R >>\nendobj\n7 0 obj\n" + c.dict + "\nendobj\n8 0 obj\n<< /StdCF " + filter +
			" >>\nendobj\n9 0 obj\n<< /StdCF 10 0 R >>\nendobj\n10 0 obj\n" + filter + "\nendobj\ntrailer\n<< /Size 11 /Root 1 0 R /Encrypt 7 0 R >>\nstartxref\n0\n%%EOF\n")
		out, ok := plainEncryption(b)
		if ok != (c.want != "") {
			t.Errorf("%s: mended %v", name, ok)
			continue
		}
		if ok && (!bytes.HasPrefix(out, b) || !strings.Contains(string(out[len(b):]), "7 0 obj\n"+c.want+"\nendobj")) {
			t.Errorf("%s: %s", name, out[len(b):])
		}
	}
}

// Without encryption of streams and strings, only attached files are encrypted.
func TestEncryptedAttachments(t *testing.T) {
	const dict = "<< /V 4 /Length 128 /StmF /Identity /EFF /StdCF /EncryptMetadata false >>"
	b := []byte("%PDF-1.6\n7 0 obj\n" + dict + "\nendobj\ntrailer\n<< /Size 8 /Root 1 0 R /Encrypt 7 0 R >>\nstartxref\n0\n%%EOF\n")
	out, ok := plainEncryption(b)
	if want := strings.Replace(string(b), "/Encrypt 7", "/encrypt 7", 1); !ok || string(out) != want {
		t.Errorf("%v, %s", ok, out)
	}
}
